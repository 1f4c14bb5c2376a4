import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { draftAll, place } from './append.ts'
import { collectBatch } from './batch.ts'
import { event, events, followed, range, seqs } from './contract-rule.ts'
import type { NewEvent } from './record.ts'
import { TAIL_RECORDS_MAX } from './ring.ts'
import { GENESIS } from './seal.ts'
import type { Sealed } from './seal.ts'
import { LiveTail, SUBSCRIBERS_MAX, TAIL_THREADS_MAX } from './tail.ts'

const sha256 = (text: string) => hash('sha256', text, 'hex')

/** A tail over rows in memory, whose storage counts its loads and may be slow or broken. */
class Source {
  readonly rows = new Map<string, Sealed[]>()
  readonly tail = new LiveTail()
  loads = 0
  slow: Promise<void> | undefined
  broken: Error | undefined

  subscribe(thread: string, after?: number) {
    const load = async (from: number, limit: number) => {
      this.loads++
      const found = collectBatch((seq) => this.rows.get(thread)?.[seq], from, limit)
      await this.slow
      if (this.broken) throw this.broken
      return found
    }
    return this.tail.subscribe(thread, load, after)
  }

  append(thread: string, given: readonly NewEvent[]): void {
    const rows = this.rows.get(thread) ?? []
    const { seq = -1, hash: prev = GENESIS } = rows.at(-1)?.record ?? {}
    const fresh: Sealed[] = []
    const insert = (sealed: Sealed) => fresh.push(sealed) > 0
    const target = { thread, head: { seq, hash: prev }, find: () => undefined, insert }
    place(draftAll(thread, given, { now: () => 0, id: () => '' }), target, { sha256 })
    this.rows.set(thread, [...rows, ...fresh])
    this.tail.publish(thread, fresh)
  }
}

test('[S1] a record that is published while the storage is being read is neither lost nor doubled', async () => {
  const source = new Source()
  source.append('t', [event(0)])
  const { promise, resolve } = Promise.withResolvers<void>()
  source.slow = promise
  const subscription = source.subscribe('t')
  const first = subscription.next()
  source.append('t', [event(1)])
  resolve()
  expect(seqs((await first).value ?? [])).toEqual([0])
  expect(seqs(await followed(subscription, 1))).toEqual([1])
})

test('readers that wait together share one batch, and storage is not asked', async () => {
  const source = new Source()
  const subscriptions = range(0, 20).map(() => source.subscribe('t'))
  const steps = subscriptions.map((subscription) => subscription.next())
  await settled()
  const before = source.loads
  source.append('t', events(0, 5))
  const batches = (await Promise.all(steps)).map(({ value }) => value)
  expect(new Set(batches).size).toBe(1)
  expect(source.loads).toBe(before)
})

test('a reader that fell out of the ring goes on from storage', async () => {
  const source = new Source()
  const subscription = await caughtUp(source, 't')
  const before = source.loads
  for (let n = 1; n <= TAIL_RECORDS_MAX + 500; n += 100) source.append('t', events(n, n + 100))
  const last = (source.rows.get('t')?.length ?? 0) - 1
  expect(seqs(await followed(subscription, last))).toEqual(range(1, last + 1))
  expect(source.loads).toBeGreaterThan(before)
})

test('a ring holds no more characters than it may', async () => {
  const source = new Source()
  const subscription = await caughtUp(source, 't')
  for (let n = 1; n < 8; n++) source.append('t', [event(n, 'x'.repeat(100_000))])
  const before = source.loads
  expect(seqs(await followed(subscription, 7))).toEqual(range(1, 8))
  expect(source.loads - before).toBe(5)
})

test('only the rings of the threads that spoke last are kept', async () => {
  const source = new Source()
  const [chatty, quiet] = [await caughtUp(source, 'chatty'), await caughtUp(source, 'quiet')]
  source.append('chatty', [event(1)])
  source.append('quiet', [event(1)])
  source.append('chatty', [event(2)])
  for (const n of range(0, TAIL_THREADS_MAX - 1)) {
    source.subscribe(`loud-${n}`)
    source.append(`loud-${n}`, [event(0)])
  }
  const before = source.loads
  expect(seqs(await followed(chatty, 2))).toEqual([1, 2])
  expect(source.loads).toBe(before)
  expect(seqs(await followed(quiet, 1))).toEqual([1])
  expect(source.loads).toBe(before + 1)
})

test('a load that fails ends the subscription with its error', async () => {
  const source = new Source()
  source.broken = new Error('unreadable')
  const subscription = source.subscribe('t')
  await expect(subscription.next()).rejects.toThrow('unreadable')
  expect(await subscription.next()).toEqual({ done: true, value: undefined })
})

test('return() answers a next() whose load is still under way', async () => {
  const source = new Source()
  source.append('t', [event(0)])
  const { promise, resolve } = Promise.withResolvers<void>()
  source.slow = promise
  const subscription = source.subscribe('t')
  const step = subscription.next()
  await subscription.return?.()
  expect(await step).toEqual({ done: true, value: undefined })
  resolve()
  await settled()
  expect(await subscription.next()).toEqual({ done: true, value: undefined })
})

test('a record that was published and is not in storage is an error, not a silence', async () => {
  const source = new Source()
  const subscription = await caughtUp(source, 't')
  source.append('t', [event(1, 'x'.repeat(300_000))])
  source.rows.set('t', [])
  await expect(subscription.next()).rejects.toThrow('1 was published and is not stored')
})

test('[E3] subscriptions have a bound, and one that ends makes room', () => {
  const source = new Source()
  const open = range(0, SUBSCRIBERS_MAX).map(() => source.subscribe('t'))
  expect(() => source.subscribe('t')).toThrow(`${SUBSCRIBERS_MAX} subscriptions are open`)
  void open[0]?.return?.()
  void open[0]?.return?.()
  expect(() => source.subscribe('t')).not.toThrow()
  expect(() => source.subscribe('t')).toThrow('are open')
})

test('[E2] a cursor that is no position is a bug of the caller', () => {
  const source = new Source()
  for (const after of [NaN, -2, 1.5, Infinity]) {
    expect(() => source.subscribe('t', after)).toThrow(`after is ${after}`)
  }
})

/** A subscription that has seen the first record of its thread. */
async function caughtUp(source: Source, thread: string) {
  const subscription = source.subscribe(thread)
  const first = subscription.next()
  source.append(thread, [event(0)])
  await first
  return subscription
}

/** Lets every promise that can settle do so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
