import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { MemoryShelves, ThreadIndex } from '../log/index.ts'
import type { IndexValue, LogRecord } from '../log/index.ts'
import { besideLog } from '../storage/shelves.fixture.ts'
import { freshPath } from '../storage/sqlite-folder.fixture.ts'
import { THREADS_LISTED_MAX, defineApp } from './index.ts'
import type { AppParts, Throughline } from './index.ts'
import {
  byStatus,
  close,
  names,
  newIndex,
  newLog,
  note,
  notesApp,
  open,
  start,
  tickets,
  ticketsApp,
} from './tickets.fixture.ts'
import type { Setting, Ticket } from './tickets.fixture.ts'

/** A session of a process with the named reducers, and the threads that it folded for the index. */
async function session(setting: Setting, parts: Partial<AppParts<Ticket>> = {}) {
  const folded: IndexValue[] = []
  const index = {
    ...byStatus,
    owner: ({ owner }: Ticket) => {
      folded.push(owner ?? '')
      return owner
    },
    ...parts.index,
  }
  const tl = await start({ ...setting, apps: [ticketsApp({ ...parts, index })] })
  return { tl, folded }
}

test('the next process goes on from the saved position, unless the declaration has changed', async () => {
  const setting = { log: newLog(), threadIndex: newIndex() }
  const first = await session(setting)
  for (const owner of ['a', 'b', 'c']) await open(first.tl, owner, owner)
  await first.tl.threads()
  await first.tl.drain()

  const same = await session(setting)
  await close(same.tl, 'b')
  expect(names((await same.tl.threads()).threads)).toEqual(['b', 'c', 'a'])
  expect(same.folded).toEqual(['b'])
  await same.tl.drain()

  for (const changed of [
    { domainVersion: '2' },
    { workVersion: '2' },
    { index: { length: ({ status }: Ticket) => status.length } },
  ]) {
    const other = await session(setting, changed)
    expect(names((await other.tl.threads()).threads)).toEqual(['b', 'c', 'a'])
    expect(other.folded).toHaveLength(3)
    await other.tl.drain()
  }
})

test('each process computes the values anew where the reducers have no version', async () => {
  const setting = { log: newLog(), threadIndex: newIndex() }
  const unnamed = ({ domainVersion: _, ...parts }: AppParts<Ticket>) => defineApp<Ticket>(parts)
  const named = { name: 'tickets', domain: tickets, domainVersion: '' }
  const before = await start({ ...setting, apps: [unnamed({ ...named, index: byStatus })] })
  await open(before, 't')
  await before.threads()
  await before.drain()
  const index = { ...byStatus, status: () => 'other' }
  const after = await start({ ...setting, apps: [unnamed({ ...named, index })] })
  expect((await after.threads({ where: { status: 'other' } })).threads).toHaveLength(1)
  await after.drain()
})

test('a process sees that threads have moved when another has brought the index up to date', async () => {
  const setting = { log: newLog(), threadIndex: newIndex() }
  const [one, other] = await Promise.all([session(setting), session(setting)])
  const before = await other.tl.position()
  expect(await other.tl.position()).toBe(before)
  await open(one.tl, 't')
  await one.tl.threads()
  expect(await other.tl.position()).not.toBe(before)
  await Promise.all([one.tl.drain(), other.tl.drain()])
})

test('[L15] an index that loses everything is computed anew, and its cursors are refused', async () => {
  const kept = new ThreadIndex(new MemoryShelves())
  const tl = await start({ threadIndex: kept })
  for (const thread of ['a', 'b', 'c']) await open(tl, thread)
  const { next } = await tl.threads({ limit: 1 })
  await kept.begin('lost')
  expect(names((await tl.threads()).threads)).toEqual(['c', 'b', 'a'])
  await expect(tl.threads({ after: next ?? '' })).rejects.toMatchObject({ code: 'invalid_query' })
  await tl.close()
})

test('[L15] with an index that can keep nothing, threads are listed from memory', async () => {
  const { shelves, threadIndex } = besideLog(freshPath())
  await shelves.close()
  const tl = await start({ threadIndex })
  await open(tl, 'a')
  expect(names((await tl.threads()).threads)).toEqual(['a'])
  await open(tl, 'b')
  expect(names((await tl.threads()).threads)).toEqual(['b', 'a'])
  await tl.close()
})

test('[L15] of a log that was restored no thread is listed that it does not hold', async () => {
  const threadIndex = newIndex()
  const before = await start({ log: newLog('epoch'), threadIndex })
  for (const thread of ['a', 'b']) await open(before, thread)
  await before.threads()
  await before.drain()
  const restored = await start({ log: newLog('epoch'), threadIndex })
  expect((await restored.threads()).threads).toEqual([])
  await open(restored, 'b')
  expect(names((await restored.threads()).threads)).toEqual(['b'])
  await restored.drain()
})

test('a declared index is kept up to date in the background, until the application drains', async () => {
  const threadIndex = newIndex()
  const tl = await start({ threadIndex })
  await open(tl, 'a')
  await expect.poll(async () => (await threadIndex.load())?.position ?? '').not.toBe('')
  await tl.drain()
  const saved = await threadIndex.load()
  await open(tl, 'b')
  await setTimeout(1_200)
  expect(await threadIndex.load()).toEqual(saved)
  expect(names((await tl.threads()).threads)).toEqual(['b', 'a'])
})

test('without a declared index nothing is read before the first list', async () => {
  const threadIndex = newIndex()
  const tl = await start({ threadIndex, apps: [notesApp] })
  await note(tl, 'n')
  await setTimeout(1_200)
  expect(await threadIndex.load()).toBeUndefined()
  expect(names((await tl.threads()).threads)).toEqual(['n'])
  await tl.close()
})

const moves = {
  open: (tl: Throughline, n: number) => open(tl, `t${n}`, `o${n}`),
  close: (tl: Throughline, n: number) => close(tl, `t${n}`),
  note: (tl: Throughline, n: number) => note(tl, `n${n}`),
}
const HISTORIES = timesInTier({ quick: 30, full: 500 })
const steps = ['list', 'drain', 'crash', 'open', 'close', 'close', 'note', 'note'] as const
const step = fc.record({ what: fc.constantFrom(...steps), n: fc.nat(6) })

function isMove(what: string): what is keyof typeof moves {
  return what in moves
}

test('[L15] after any history with any restarts the list is what folding every thread gives', async ({
  annotate,
}) => {
  let listed = 0
  const history = fc.array(step, { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const setting = { log: newLog(), threadIndex: newIndex() }
      let tl = await start(setting)
      const moved = new Set<string>()
      for (const { what, n } of steps) {
        if (what === 'list') await tl.threads()
        else if (what === 'drain') await tl.drain()
        if (what === 'drain' || what === 'crash') tl = await start(setting)
        if (!isMove(what)) continue
        const [{ thread }] = (await moves[what](tl, n)).records as [LogRecord]
        moved.delete(thread)
        moved.add(thread)
      }
      const { threads } = await tl.threads({ limit: THREADS_LISTED_MAX })
      expect(names(threads)).toEqual([...moved].toReversed())
      for (const { thread, app, head, values } of threads) {
        const { seq, state } = await tl.state(thread)
        const { status, owner } = state as Ticket
        const folded = { status, ...(owner !== undefined && { owner }) }
        expect(head).toBe(seq)
        expect(values).toEqual(app === 'notes' ? undefined : folded)
        listed++
      }
      await tl.drain()
    }),
    { numRuns: HISTORIES },
  )
  await annotate(
    `0 of ${listed} listed threads, after ${HISTORIES} histories, differ from a fold`,
    'promise',
  )
})
