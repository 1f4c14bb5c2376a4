import { join } from 'node:path'
import { expect, test } from 'vitest'
import { besideLog } from '../../src/storage/shelves.fixture.ts'
import { openLog } from 'throughline/log'
import { emptyFolder } from '../server-process.fixture.ts'
import { RECORDS_OF_A_RUN, SECRET, appendThreads, runIn, start } from './bounded-start.fixture.ts'
import type { Started } from './bounded-start.fixture.ts'

const THREADS = Number(process.env['START_THREADS'] ?? 100_000)
const OPEN = 100
/** The least of so many counts: other work of the machine adds to what the processor needs. */
const STARTS = 8
const MORE_MS_MAX = 200

async function storeOf(folder: string) {
  const path = join(folder, 'throughline.db')
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [SECRET] })
  const { shelves, cursors } = besideLog(path)
  return {
    log,
    cursors,
    close: async (): Promise<void> => {
      await shelves.close()
      await log.close()
    },
  }
}

async function positionIn(folder: string): Promise<number> {
  const { shelves, cursors } = besideLog(join(folder, 'throughline.db'))
  const position = (await cursors.load('work')) ?? ''
  await shelves.close()
  return Number(/(\d+)-/.exec(position)?.[1] ?? 0)
}

/** Leaves runs open, half of them on the list, the other half appended after it was saved. */
async function leaveOpen(folder: string, threads: readonly string[]): Promise<void> {
  const { log, cursors, close } = await storeOf(folder)
  const saved = (await cursors.load('work')) ?? ''
  const [listed, moved] = [threads.slice(0, OPEN / 2), threads.slice(OPEN / 2)]
  for (const thread of listed) await log.append(thread, runIn(thread, 'open'))
  const version = saved.slice(0, saved.lastIndexOf(' '))
  const rows = listed.map((thread) => ({ thread, dueAt: 0 }))
  for await (const batch of log.feed({ after: saved.slice(version.length + 1) })) {
    const last = batch.at(-1)
    if (!last) break
    await cursors.save('work', `${version} ${last.position}`, rows)
  }
  for (const thread of moved) await log.append(thread, runIn(thread, 'open'))
  await close()
}

async function openIn(folder: string, threads: readonly string[]): Promise<number> {
  const { log, close } = await storeOf(folder)
  let open = 0
  for (const thread of threads) {
    const after = (await log.head(thread)) - 1
    for await (const [last] of log.read(thread, { after })) if (last?.type !== 'RUN_ERROR') open++
  }
  await close()
  return open
}

test(`[L13] a start over ${THREADS} threads takes no more than one over none, and finds all open work`, async ({
  annotate,
}) => {
  const [none, full] = [await emptyFolder(), await emptyFolder()]
  const store = await storeOf(full)
  const threads = await appendThreads(store.log, THREADS)
  await store.close()
  const first = await start(full, () =>
    // The team's own thread adds its records.
    expect
      .poll(() => positionIn(full), { timeout: 900_000, interval: 500 })
      .toBeGreaterThanOrEqual(THREADS * RECORDS_OF_A_RUN),
  )
  const over = { none: [] as Started[], full: [] as Started[] }
  let found = 0
  for (let n = 0; n < STARTS; n++) {
    over.none.push(await start(none))
    const left = threads.filter((_, index) => index % (THREADS / OPEN) === n)
    await leaveOpen(full, left)
    over.full.push(await start(full))
    found += left.length - (await openIn(full, left))
  }
  const least = (all: readonly Started[]): number =>
    Math.min(...all.map(({ opened, served }) => opened + served))
  const more = least(over.full) - least(over.none)
  await annotate(
    `${THREADS} threads, ${OPEN} with open work: ${more.toFixed(0)} ms of the processor more than over an ` +
      `empty store; ${found} of ${STARTS * OPEN} found in ${STARTS} starts; ` +
      `${first.served.toFixed(0)} ms without a list, the rest in the background`,
    'promise',
  )
  expect(found).toBe(STARTS * OPEN)
  expect(more).toBeLessThan(MORE_MS_MAX)
}, 1_800_000)
