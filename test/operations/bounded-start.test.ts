import { pino } from 'pino'
import { expect, test } from 'vitest'
import { open, scriptedModel } from 'throughline'
import type { EventLog, Shelves } from 'throughline/log'
import { serve } from 'throughline/server'
import type { RunningServer } from 'throughline/server'
import { openLog, sha256 } from 'throughline/log'
import { defineBroker } from '../../apps/broker/definition.ts'
import { deskApp } from '../../apps/desk/application.ts'
import { besideLog } from '../../src/storage/shelves.fixture.ts'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { RECORDS_OF_A_RUN, appendThreads, runIn } from './bounded-start.fixture.ts'

const THREADS = timesInTier({ quick: 500, full: 2_000 })
const OPEN = 20

/** Counts the reads of each thread. */
function counted(log: EventLog) {
  const reads = new Map<string, number>()
  const count = (thread: string) => reads.set(thread, (reads.get(thread) ?? 0) + 1)
  const counting = new Proxy(log, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]): unknown => {
        const [thread] = given
        if (typeof thread === 'string') count(thread)
        return Reflect.apply(member, target, given)
      }
    },
  })
  return { log: counting, reads }
}

async function serveOver(log: EventLog, shelves?: Shelves): Promise<RunningServer> {
  const model = scriptedModel(() => 'Hello.')
  const broker = defineBroker({ model, now: Date.now, sha256 })
  const throughline = await open({
    store: { log, shelves },
    apps: [broker.app, deskApp(model)],
  })
  return serve(throughline, { port: 0, version: 'test', logger: pino({ level: 'silent' }) })
}

test('[L13] a start reads the threads with open work and no other', async ({ annotate }) => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const { shelves, cursors } = besideLog(path)
  const threads = await appendThreads(log, THREADS)
  const first = await serveOver(log, shelves)
  const all = `${THREADS * RECORDS_OF_A_RUN}-`
  await expect.poll(() => cursors.load('work')).toContain(all)
  const listed = threads.slice(0, OPEN / 2)
  for (const thread of listed) await log.append(thread, runIn(thread, 'open'))
  // The list is saved with these runs on it, and without those that follow.
  await first.close()
  const moved = threads.slice(-OPEN / 2)
  for (const thread of moved) await log.append(thread, runIn(thread, 'open'))

  const { log: counting, reads } = counted(log)
  const second = await serveOver(counting, shelves)
  const open = new Set([...listed, ...moved])
  const others = threads.filter((thread) => !open.has(thread))
  const readInVain = others.filter((thread) => reads.has(thread))
  const found = [...open].filter((thread) => reads.has(thread))
  for (const thread of open) {
    const after = (await log.head(thread)) - 1
    for await (const [last] of log.read(thread, { after })) expect(last?.type).toBe('RUN_ERROR')
  }
  await second.close()
  await shelves.close()
  await log.close()
  expect(readInVain).toEqual([])
  expect(found).toHaveLength(OPEN)
  await annotate(
    `${THREADS} threads: ${found.length} of ${OPEN} with open work found, ${readInVain.length} others read`,
    'promise',
  )
})

test('[L13] without a list a request for a thread that was not looked at yet finds its run ended', async () => {
  const log = await openLog('memory:')
  await appendThreads(log, 10_000)
  await log.append('the last one', runIn('the last one', 'open'))
  const server = await serveOver(log)
  const before = await log.head('the last one')
  const response = await fetch(`${server.url}/api/threads/the%20last%20one/events`)
  const { records } = (await response.json()) as { records: readonly { type: string }[] }
  await server.close()
  expect([before, records.at(-1)?.type]).toEqual([2, 'RUN_ERROR'])
})
