import { expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../due-work/index.ts'
import type { ConsumerRow, Cursors, EventLog } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { revocable } from '../log/revocable-leases.fixture.ts'
import { consume } from './index.ts'
import type { ConsumeOptions, Look } from './index.ts'
import { LOOK_AGAIN_MS } from './looks.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const newLog = () => memoryLog()
const grow = (log: EventLog, thread: string) => log.append(thread, [{ type: 'grew', data: {} }])

/** Cursors in memory, as a store beside a log keeps them. */
function newCursors() {
  const positions = new Map<string, string>()
  const rows = new Map<string, number>()
  const cursors: Cursors = {
    load: (consumer) => Promise.resolve(positions.get(consumer)),
    open: () => Promise.resolve([...rows].map(([thread, dueAt]) => ({ thread, dueAt }))),
    save(consumer, position, saved: readonly ConsumerRow[]) {
      positions.set(consumer, position)
      for (const { thread, dueAt } of saved) {
        if (dueAt === undefined) rows.delete(thread)
        else rows.set(thread, dueAt)
      }
      return Promise.resolve()
    },
  }
  return { cursors, rows }
}

function started(
  place: { readonly log: EventLog; readonly cursors?: Cursors },
  options: Partial<ConsumeOptions> & Pick<ConsumeOptions, 'look'>,
) {
  const { log, cursors } = place
  const consumer = consume({ log, cursors }, { name: 'test.consumer', ...options })
  onTestFinished(() => consumer.close(0))
  return consumer
}

test('each thread that grew is looked at, and again when it grows', async () => {
  const log = newLog()
  await grow(log, 'a')
  const looked: string[] = []
  started({ log }, { look: async (thread) => void looked.push(thread) })
  await expect.poll(() => looked).toEqual(['a'])
  await grow(log, 'b')
  await expect.poll(() => looked).toEqual(['a', 'b'])
  await grow(log, 'a')
  await expect.poll(() => looked).toEqual(['a', 'b', 'a'])
})

test('a thread that grows during its look is looked at once more, never twice at once', async () => {
  const log = newLog()
  const heads: number[] = []
  let underWay = 0
  const first = Promise.withResolvers<void>()
  const look: Look = async (thread) => {
    expect(++underWay).toBe(1)
    heads.push(await log.head(thread))
    if (heads.length === 1) await first.promise
    underWay--
  }
  await grow(log, 'a')
  started({ log }, { look })
  await expect.poll(() => heads).toEqual([0])
  await grow(log, 'a')
  await grow(log, 'a')
  // The feed has told of both by the time that a third thread is looked at.
  first.resolve()
  await expect.poll(() => heads.at(-1)).toBe(2)
})

test('[L13] the next start goes on after the saved position, and at the threads whose look had not ended', async () => {
  const log = newLog()
  const { cursors, rows } = newCursors()
  const stuck = Promise.withResolvers<void>()
  await grow(log, 'done')
  await grow(log, 'stuck')
  const before: string[] = []
  const first = started(
    { log, cursors },
    {
      look: async (thread, { signal }) => {
        before.push(thread)
        if (thread !== 'stuck') return
        signal.addEventListener('abort', () => stuck.resolve())
        await stuck.promise
      },
    },
  )
  await expect.poll(() => before.toSorted()).toEqual(['done', 'stuck'])
  await first.close(0)
  expect([...rows]).toEqual([['stuck', 0]])
  await grow(log, 'new')
  const after: string[] = []
  started({ log, cursors }, { look: async (thread) => void after.push(thread) })
  await expect.poll(() => after.toSorted()).toEqual(['new', 'stuck'])
})

test('another version looks at every thread again', async () => {
  const log = newLog()
  const { cursors } = newCursors()
  await grow(log, 'a')
  const looked: string[] = []
  const look: Look = async (thread) => void looked.push(thread)
  const first = started({ log, cursors }, { look })
  await expect.poll(() => looked).toEqual(['a'])
  await first.close()
  await started({ log, cursors }, { look }).close()
  expect(looked).toEqual(['a'])
  started({ log, cursors }, { look, version: '2' })
  await expect.poll(() => looked).toEqual(['a', 'a'])
})

test('a thread is looked at again at the time that its look gave, also by the next start', async () => {
  const log = newLog()
  const { cursors, rows } = newCursors()
  const clock = new ManualClock(1_000)
  const looked: number[] = []
  const look: Look = async () => {
    looked.push(clock.now())
    return looked.length < 3 ? { dueAt: clock.now() + 5_000 } : undefined
  }
  await grow(log, 'a')
  const first = started({ log, cursors }, { look, clock })
  await expect.poll(() => looked).toEqual([1_000])
  clock.advance(5_000)
  await expect.poll(() => looked).toEqual([1_000, 6_000])
  await first.close()
  expect([...rows]).toEqual([['a', 11_000]])
  started({ log, cursors }, { look, clock })
  // The saved time is known once the feed is read.
  await expect.poll(() => clock.advance(1_000) ?? looked.length, { interval: 5 }).toBe(3)
  expect(looked[2]).toBeGreaterThanOrEqual(11_000)
})

test('a look that fails is reported, holds up no other, and is made again', async () => {
  const log = newLog()
  const clock = new ManualClock(0)
  const faults: unknown[] = []
  const looked: string[] = []
  const look: Look = async (thread) => {
    looked.push(thread)
    if (thread === 'bad' && looked.filter((each) => each === 'bad').length === 1) {
      throw new Error('Cannot read')
    }
  }
  await grow(log, 'bad')
  await grow(log, 'good')
  const onFault = (error: unknown, thread?: string) =>
    void faults.push(`${thread}: ${String(error)}`)
  started({ log }, { look, clock, onFault })
  await expect.poll(() => looked.toSorted()).toEqual(['bad', 'good'])
  await expect.poll(() => faults).toEqual(['bad: Error: Cannot read'])
  await expect
    .poll(() => clock.advance(LOOK_AGAIN_MS) ?? looked.filter((each) => each === 'bad').length)
    .toBe(2)
})

test('[D11] one process at a time looks; one that loses its lease stops, and another takes over', async () => {
  const log = newLog()
  const { log: leased, revoke } = revocable(log)
  const seen: string[] = []
  const aborted = Promise.withResolvers<void>()
  started(
    { log: leased },
    {
      look: async (thread, { signal }) => {
        seen.push(`first ${thread}`)
        signal.addEventListener('abort', () => aborted.resolve())
        await aborted.promise
      },
    },
  )
  started({ log }, { look: async (thread) => void seen.push(`second ${thread}`) })
  await grow(log, 'a')
  await expect.poll(() => seen).toEqual(['first a'])
  await revoke('test.consumer')
  await aborted.promise
  await expect.poll(() => seen).toContain('second a')
})

test('a store that cannot be read is reported, and the consumer goes on once it can', async () => {
  const log = newLog()
  const clock = new ManualClock(0)
  let isAway = true
  const failing = logWith(log, {
    feed(options) {
      if (isAway) throw new Error('away')
      return log.feed(options)
    },
  })
  const faults: unknown[] = []
  const looked: string[] = []
  await grow(log, 'a')
  const look: Look = async (thread) => void looked.push(thread)
  started({ log: failing }, { look, clock, onFault: (error) => void faults.push(String(error)) })
  await expect.poll(() => faults).toEqual(['Error: away'])
  isAway = false
  await expect.poll(() => clock.advance(1_000) ?? looked).toEqual(['a'])
})

test('rows that could not be saved go with the next save', async () => {
  const log = newLog()
  const { cursors, rows } = newCursors()
  const clock = new ManualClock(0)
  let failures = 0
  const failing: Cursors = {
    ...cursors,
    save(consumer, position, saved) {
      if (saved.length > 0 && failures++ === 0) return Promise.reject(new Error('full'))
      return cursors.save(consumer, position, saved)
    },
  }
  await grow(log, 'a')
  const faults: unknown[] = []
  const consumer = started(
    { log, cursors: failing },
    {
      look: async () => ({ dueAt: 1_000_000 }),
      clock,
      onFault: (error) => void faults.push(String(error)),
    },
  )
  await expect.poll(() => clock.advance(1_000) ?? faults).toEqual(['Error: full'])
  await consumer.close()
  expect([...rows]).toEqual([['a', 1_000_000]])
})

test('tens of thousands of threads are each looked at, with a bounded number that wait', async () => {
  const log = newLog()
  const threads = Array.from({ length: 25_000 }, (_, n) => `thread-${n}`)
  for (const thread of threads) await grow(log, thread)
  const looked = new Set<string>()
  started({ log }, { look: async (thread) => void looked.add(thread) })
  await expect.poll(() => looked.size).toBe(25_000)
})

test.each<readonly [string, object]>([
  ['it has an unknown "looks": did you mean "look"?', { name: 'a', looks: () => undefined }],
  ['give it a name of 1 to 100 characters', { name: '', look: () => undefined }],
  ['"a" has no look, a function of a thread', { name: 'a' }],
  ['the version of "a" has a space', { name: 'a', version: '1 2', look: () => undefined }],
])('what cannot be a consumer is refused: %s', (why, options) => {
  const call = () => consume({ log: newLog(), cursors: undefined }, options as never)
  expect(call).toThrow(`Cannot consume the log: ${why}`)
})
