import { assert } from '../assert/index.ts'
import type { EventLog } from './event-log.ts'
import type { Moved } from './feed.ts'
import { event, events, range, same } from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'

export const FEED_RULES: readonly ContractRule[] = [
  {
    name: '[L13] a feed names the threads that have grown, with their heads, and then marks its end',
    async check(log) {
      await log.append('a', events(0, 3))
      await log.append('b', [event(0)])
      await log.append('a', [event(3)])
      same(await caughtUp(log), { a: 3, b: 0 }, 'all that is stored')
      const none = log.feed()
      await toEnd(none)
      const waiting = none.next()
      await log.append('b', [event(1)])
      same(headsIn((await waiting).value ?? []), { b: 1 }, 'what grew then')
      same((await none.next()).value, [], 'the end again')
      await none.return?.()
    },
  },
  {
    name: '[L13] a feed of an empty log marks its end at once',
    async check(log) {
      const feed = log.feed()
      same(await feed.next(), { done: false, value: [] }, 'first step')
      await feed.return?.()
    },
  },
  {
    name: '[L13] a feed resumes after every position that it has yielded',
    async check(log) {
      for (const n of range(0, 40)) await log.append(`t${n % 7}`, [event(n)])
      const moved = await toEnd(log.feed())
      for (const n of range(40, 60)) await log.append(`t${n % 5}`, [event(n)])
      const grown = range(0, 5).map((n) => `t${n}`)
      for (const { position, thread } of moved) {
        const again = await caughtUp(log, position)
        for (const each of grown) same(again[each], await log.head(each), `${each} after ${thread}`)
      }
    },
  },
  {
    name: '[L13] a feed is read in bounded batches, in which no thread is named twice',
    async check(log) {
      for (let from = 0; from < 3_000; from += 1_000) {
        await Promise.all(
          range(from, from + 1_000).map((n) => log.append(`t${n % 1_500}`, [event(n)])),
        )
      }
      const feed = log.feed()
      const heads = new Map<string, number>()
      for (;;) {
        const batch = await nextBatch(feed)
        if (batch.length === 0) break
        assert(batch.length <= 1_024, `A batch of ${batch.length} threads`)
        same(new Set(batch.map(({ thread }) => thread)).size, batch.length, 'threads of a batch')
        for (const { thread, head } of batch) heads.set(thread, head)
      }
      await feed.return?.()
      same([heads.size, new Set(heads.values()).size], [1_500, 1], 'threads and heads')
    },
  },
  {
    name: '[L13] feeds under concurrent appends miss nothing',
    async check(log) {
      const readers = range(0, 4).map(async (n) => {
        const feed = log.feed()
        const heads: Record<string, number> = {}
        while (range(0, 6).some((each) => heads[`t${each}`] !== 49)) {
          for (let tick = 0; tick < n * 5; tick++) await Promise.resolve()
          Object.assign(heads, headsIn(await nextBatch(feed)))
        }
        await feed.return?.()
      })
      for (const n of range(0, 50)) {
        const writers = range(0, 6).map((each) => log.append(`t${each}`, [event(n)]))
        if (n % 3 === 0) await Promise.all(writers)
      }
      await Promise.all(readers)
    },
  },
  {
    name: '[L13] a feed begins at the first record after a position that the log does not hold',
    async check(log) {
      await log.append('a', [event(0)])
      await log.append('b', [event(0)])
      const position = (await toEnd(log.feed())).at(-1)?.position ?? ''
      same(await caughtUp(log, position), {}, 'a position that it holds')
      const other = position.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      const later = position.replace(/^\d+/, '999')
      for (const foreign of ['', 'x', other, later, `${position}0`]) {
        same(await caughtUp(log, foreign), { a: 0, b: 0 }, `after "${foreign}"`)
      }
    },
  },
  {
    name: '[L13] a feed ends with return() and with the log, a next() that waits included',
    async check(log) {
      const [one, other] = [log.feed(), log.feed()]
      await Promise.all([toEnd(one), toEnd(other)])
      const waiting = [one.next(), other.next()]
      await one.return?.()
      same(await waiting[0], { done: true }, 'the one that returned')
      await log.close()
      same(await waiting[1], { done: true }, 'the one of a log that was closed')
    },
  },
]

type Feed = ReturnType<EventLog['feed']>

/** Reads a feed until it marks its end. */
async function toEnd(feed: Feed): Promise<Moved[]> {
  const all: Moved[] = []
  for (;;) {
    const batch = await nextBatch(feed)
    if (batch.length === 0) return all
    all.push(...batch)
  }
}

async function nextBatch(feed: Feed): Promise<readonly Moved[]> {
  const step = await feed.next()
  assert(!step.done, 'The feed ended')
  return step.value
}

async function caughtUp(log: EventLog, after?: string): Promise<Record<string, number>> {
  const feed = log.feed(after === undefined ? {} : { after })
  const moved = await toEnd(feed)
  await feed.return?.()
  return headsIn(moved)
}

function headsIn(moved: readonly Moved[]): Record<string, number> {
  const heads: Record<string, number> = {}
  for (const { thread, head } of moved.toSorted((a, b) => (a.thread < b.thread ? -1 : 1))) {
    heads[thread] = Math.max(heads[thread] ?? -1, head)
  }
  return heads
}
