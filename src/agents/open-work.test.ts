import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { startsRun } from '../activity/index.ts'
import { FEED_PAGE_RECORDS, LogError } from '../log/index.ts'
import type { Cursors, EventLog } from '../log/index.ts'
import { refusingLog } from '../log/refusing-log.fixture.ts'
import { recordsOf } from '../storage/sqlite-folder.fixture.ts'
import {
  ended,
  newCursors,
  newLog,
  openThreads,
  refusing,
  session,
  started,
} from './open-work.fixture.ts'
import { LOOK_BATCHES_MAX } from './open-work.ts'

test('[L13] a start after a clean end looks at no thread', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  const first = session({ log, cursors })
  await first.work.recover()
  first.work.follow()
  for (let n = 0; n < 50; n++) await log.append(`t${n}`, [started, ended])
  await first.work.close()
  const second = session({ log, cursors })
  await second.work.recover()
  expect(second.looked).toEqual([])
})

test('[L13] threads that moved after the list was saved are looked at by the next start', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  const first = session({ log, cursors })
  await first.work.recover()
  await log.append('closed', [started, ended])
  await log.append('open', [started])
  // The first process was killed before it saved its list.
  const second = session({ log, cursors })
  await second.work.recover()
  expect(second.looked.toSorted()).toEqual(['closed', 'open', 'open'])
  expect(await openThreads(log)).toEqual([])
})

test('[L13] a run that is open when the list is saved is on it, and found by the next start', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  const first = session({ log, cursors })
  await first.work.recover()
  await log.append('closed', [started, ended])
  await log.append('open', [started])
  await first.work.close()
  expect(await cursors.open('work')).toEqual([{ thread: 'open', dueAt: 0 }])
  const second = session({ log, cursors })
  await second.work.recover()
  expect(new Set(second.looked)).toEqual(new Set(['open']))
  expect(await openThreads(log)).toEqual([])
  expect(await cursors.open('work')).toEqual([])
})

test.each([
  ['no list', async (): Promise<void> => undefined],
  ['a list of another log', (cursors: Cursors) => listOf(newLog(), cursors, '1')],
  ['a list of another version', (cursors: Cursors, log: EventLog) => listOf(log, cursors, '2')],
])('[L13] with %s one pass finds all, while requests are served', async (_name, before) => {
  const [log, cursors] = [newLog(), newCursors()]
  const count = LOOK_BATCHES_MAX * FEED_PAGE_RECORDS + 50
  const rests = Array.from({ length: count }, (_, n) => log.append(`t${n}`, [started, ended]))
  await Promise.all(rests)
  await before(cursors, log)
  await log.append('the last one', [started])
  const { work, looked } = session({ log, cursors })
  await work.recover()
  expect(looked).toHaveLength(LOOK_BATCHES_MAX * FEED_PAGE_RECORDS)
  work.follow()
  await expect.poll(() => openThreads(log)).toEqual([])
  await work.close()
  expect(new Set(looked)).toEqual(new Set(await log.threads()))
  const next = session({ log, cursors })
  await next.work.recover()
  // Its end came after all else, and perhaps after the last look.
  expect(next.looked.filter((thread) => thread !== 'the last one')).toEqual([])
})

test('[D15] a list that cannot be saved is saved later, with all rows since, and is reported once', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  let refusals = 0
  const failing = refusing(cursors, () => refusals-- > 0)
  const { work, faults } = session({ log, cursors: failing })
  await work.recover()
  refusals = 2
  work.follow()
  await log.append('open', [started])
  await expect.poll(() => cursors.open('work'), { timeout: 10_000 }).toHaveLength(1)
  expect(faults).toHaveLength(1)
  await work.close()
})

test('[D15] a thread whose recovery the store refuses is recovered while the process lives', async () => {
  const log = newLog()
  await log.append('t', [started])
  let refusals = 2
  const recover = async (): Promise<void> => {
    if (refusals-- > 0) throw new LogError('unavailable', 'Cannot ask the database')
  }
  const { work, faults } = session({ log, recover })
  await work.recover()
  expect(await openThreads(log)).toEqual(['t'])
  work.follow()
  await expect.poll(() => openThreads(log), { timeout: 10_000 }).toEqual([])
  expect(faults).toHaveLength(1)
  await work.close()
})

test('[D15] a thread whose look the store refuses is looked at again, and a cancel in it is obeyed', async () => {
  const log = newLog()
  const looked: string[] = []
  let refusals = 2
  const moved = async (thread: string): Promise<void> => {
    looked.push(thread)
    if (refusals-- > 0) throw new LogError('unavailable', 'Cannot ask the database')
  }
  const { work, faults } = session({ log, moved })
  await work.recover()
  work.follow()
  await log.append('t', [started, ended])
  await expect.poll(() => looked, { timeout: 10_000 }).toEqual(['t', 't', 't'])
  expect(faults).toHaveLength(1)
  await work.close()
})

test('[D15] a list that cannot be saved at the end is reported, and keeps nobody from closing', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  let isFull = false
  const failing = refusing(cursors, () => isFull)
  const { work, faults } = session({ log, cursors: failing })
  await work.recover()
  isFull = true
  await log.append('open', [started])
  await work.close()
  expect(faults).toMatchObject([{ code: 'storage_full' }])
  isFull = false
  const next = session({ log, cursors })
  await next.work.recover()
  expect(await openThreads(log)).toEqual([])
})

/** Keeps a list as a version of the program would that found nothing open. */
async function listOf(log: EventLog, cursors: Cursors, version: string): Promise<void> {
  await log.append('any', [started, ended])
  const { work } = session({ log, cursors, version })
  await work.recover()
  work.follow()
  await work.close()
}

test('[L13] a thread that the pass has not reached is recovered before it is read', async () => {
  const log = newLog()
  for (let n = 0; n < LOOK_BATCHES_MAX * FEED_PAGE_RECORDS; n++) {
    await log.append(`t${n}`, [started, ended])
  }
  await log.append('asked for', [started])
  const { work } = session({ log })
  await work.recover()
  expect(await openThreads(log)).toEqual(['asked for'])
  await Promise.all([work.recovered('asked for'), work.recovered('asked for')])
  expect(await openThreads(log)).toEqual([])
  expect(await log.head('asked for')).toBe(1)
})

test('[L13] a thread that cannot be recovered stays on the list and keeps no other from it', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  await log.append('bad', [started])
  await log.append('good', [started])
  const fails = async (thread: string): Promise<void> => {
    if (thread === 'bad') throw new Error('cannot be folded')
  }
  const { work, faults } = session({ log, cursors, recover: fails })
  await work.recover()
  await work.close()
  expect(faults).toHaveLength(1)
  expect(await openThreads(log)).toEqual(['bad'])
  expect(await cursors.open('work')).toEqual([{ thread: 'bad', dueAt: 0 }])
})

test('[L13] work that is due later is not looked at before, and handed over with its time', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  await log.append('waits', [started, ended])
  const first = session({ log, cursors })
  await first.work.recover()
  await cursors.save('work', (await cursors.load('work')) ?? '', [{ thread: 'waits', dueAt: 9 }])
  const { work, looked, takenUp } = session({ log, cursors })
  await work.recover()
  work.follow()
  await work.close()
  expect([looked, takenUp]).toEqual([[], ['waits']])
})

test('[L13] a process that is stopped at any moment of its pass leaves the rest to the next start', async () => {
  for (let turns = 0; turns < 30; turns++) {
    const [log, cursors] = [newLog(), newCursors()]
    for (let n = 0; n < 100; n++) await log.append(`t${n}`, [started])
    const first = session({ log, cursors })
    const recovering = first.work.recover()
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    first.work.stop()
    await recovering
    await first.work.close()
    await session({ log, cursors }).work.recover()
    expect(await openThreads(log)).toEqual([])
  }
})

test('[L13] a start over a log whose feed cannot be read recovers the threads of the list', async () => {
  const [log, cursors] = [newLog(), newCursors()]
  await log.append('listed', [started])
  await cursors.save('work', '1 0-0', [{ thread: 'listed', dueAt: 0 }])
  const damaged = refusingFeed(log)
  const { work, faults } = session({ log: damaged, cursors })
  await work.recover()
  work.follow()
  await work.close()
  expect(await openThreads(log)).toEqual([])
  expect(faults).toContainEqual(expect.objectContaining({ code: 'corrupt' }))
})

/** A log of which some pages cannot be read. */
function refusingFeed(log: EventLog): EventLog {
  const whole = refusingLog(log, () => false)
  return {
    ...whole,
    feed: () => ({
      next: async () => {
        throw new LogError('corrupt', 'Cannot read the feed: a page is damaged')
      },
      return: async () => ({ done: true, value: undefined }),
      [Symbol.asyncIterator]() {
        return this
      },
    }),
  }
}

const anyStep = fc.oneof(
  fc.record({
    does: fc.constantFrom('starts' as const, 'ends' as const),
    thread: fc.nat({ max: 5 }),
  }),
  fc.record({ does: fc.constantFrom('saves' as const, 'is started again' as const) }),
)

test('[L13] whatever a process saves before it ends or crashes, the next start leaves no run open', async ({
  annotate,
}) => {
  let starts = 0
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
    const [log, cursors] = [newLog(), newCursors()]
    let { work } = session({ log, cursors })
    await work.recover()
    for (const step of steps) {
      if (step.does === 'saves') await work.close()
      else if ('thread' in step) await move(log, `t${step.thread}`, step.does)
      else {
        work = session({ log, cursors }).work
        await work.recover()
        starts++
        expect(await openThreads(log)).toEqual([])
      }
    }
  })
  await fc.assert(property, { numRuns: timesInTier({ quick: 60, full: 1_000 }) })
  await annotate(`${starts} starts: 0 runs left open`, 'promise')
})

async function move(log: EventLog, thread: string, does: 'starts' | 'ends'): Promise<void> {
  const last = (await recordsOf(log, thread)).at(-1)
  const isOpen = last !== undefined && startsRun(last)
  if (isOpen !== (does === 'starts')) await log.append(thread, [isOpen ? ended : started])
}
