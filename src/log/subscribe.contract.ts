import { assert } from '../assert/index.ts'
import { event, events, followed, range, same, seqs, stored } from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'
import type { EventLog } from './event-log.ts'
import type { LogRecord } from './record.ts'
import { recordJson } from './seal.ts'

const READ_JSON_RULE: ContractRule = {
  name: 'the texts of records are the JSON of what read yields, in batches with a bound',
  async check(log) {
    if (!log.readJson) return
    const awkward = { 'é\n': '\u2028 \ud83d\ude00', 7: [1e21, { b: 1, a: null }] }
    await log.append('t', [...events(0, 400), event(400, 'x'.repeat(100_000)), event(401)])
    await log.append('t', [{ type: 'awkward', data: awkward }])
    const all = await stored(log, 't')
    for (const options of [{}, { after: 250 }, { after: 10, limit: 300 }, { after: 402 }]) {
      const texts: string[] = []
      for await (const batch of log.readJson('t', options)) {
        assert(batch.length > 0 && batch.length <= 256, `A batch of ${batch.length} texts`)
        texts.push(...batch)
      }
      const { after = -1, limit } = options
      const records = all.slice(after + 1, limit && after + 1 + limit)
      same(texts, records.map(recordJson), `texts of ${JSON.stringify(options)}`)
    }
  },
}

export const READ_RULES: readonly ContractRule[] = [
  {
    name: 'read begins after a seq and stops at a limit',
    async check(log) {
      await log.append('t', events(0, 1_000))
      const read = async (options: { after?: number; limit?: number }) => {
        const records: LogRecord[] = []
        for await (const batch of log.read('t', options)) records.push(...batch)
        return seqs(records)
      }
      same(await read({}), range(0, 1_000), 'everything')
      same(await read({ after: 990 }), range(991, 1_000), 'after')
      same(await read({ after: 10, limit: 700 }), range(11, 711), 'after and limit')
      same(await read({ limit: 0 }), [], 'limit 0')
      same(await read({ after: 999 }), [], 'after the head')
      same(await read({ after: 5_000 }), [], 'after the future')
    },
  },
  {
    name: 'read yields the records that were stored when it began, in batches with a bound',
    async check(log) {
      await log.append('t', [...events(0, 600), event(600, 'x'.repeat(100_000)), event(601)])
      let next = 0
      for await (const batch of log.read('t')) {
        assert(batch.length > 0 && batch.length <= 256, `A batch of ${batch.length} records`)
        if (next === 0) await log.append('t', [event(700)])
        same(seqs(batch), range(next, next + batch.length), 'batch')
        next += batch.length
      }
      same(next, 602, 'read')
    },
  },
  READ_JSON_RULE,
]

export const SUBSCRIBE_RULES: readonly ContractRule[] = [
  {
    name: '[D088] subscribe catches up and goes on live, without a gap or a duplicate',
    async check(log) {
      const appended = await log.append('t', events(0, 700))
      const subscription = log.subscribe('t', { after: 99 })
      same(await followed(subscription, 699), appended.slice(100), 'stored records')
      const waiting = subscription.next()
      const live = await log.append('t', events(700, 703))
      same((await waiting).value, live, 'live records')
      await subscription.return?.()
    },
  },
  {
    name: '[S1] subscribers under concurrent appends miss nothing',
    async check(log) {
      const readers = range(0, 12).map(async (n) => {
        await ticks(n * 3)
        const after = n % 4 === 0 ? -1 : n
        const subscription = log.subscribe('t', { after })
        const records = await followed(slowly(subscription, n), 399)
        same(seqs(records), range(after + 1, 400), `reader ${n}`)
        await subscription.return?.()
        return records
      })
      for (let n = 0; n < 400; n += 8) {
        const writers = range(n, n + 8).map((id) => log.append('t', [event(id)]))
        if (n % 24 === 0) await Promise.all(writers)
        else await ticks(n % 5)
      }
      const read = await Promise.all(readers)
      const all = await stored(log, 't')
      for (const records of read) same(records, all.slice(records[0]?.seq), 'records')
    },
  },
  {
    name: '[D090] subscribers are independent of each other',
    async check(log) {
      const [one, other] = [log.subscribe('t'), log.subscribe('t', { after: 0 })]
      const [first, second] = [one.next(), other.next()]
      await log.append('t', [event(0)])
      same(seqs((await first).value ?? []), [0], 'the one')
      await one.return?.()
      await log.append('u', [event(0)])
      await log.append('t', [event(1)])
      same(seqs((await second).value ?? []), [1], 'the other')
      await other.return?.()
    },
  },
  {
    name: '[D083] a subscriber that throws disturbs no other',
    async check(log) {
      const throwing = (async () => {
        for await (const [first] of log.subscribe('t')) throw new Error(`at ${first?.seq}`)
      })()
      const outcome = throwing.then(
        () => 'ended',
        () => 'threw',
      )
      const subscription = log.subscribe('t')
      const waiting = subscription.next()
      await log.append('t', [event(0)])
      same(seqs((await waiting).value ?? []), [0], 'the other')
      same(await outcome, 'threw', 'the throwing one')
      await log.append('t', [event(1)])
      same(seqs(await followed(subscription, 1)), [1], 'the other, later')
      await subscription.return?.()
    },
  },
  {
    name: '[D091] return() ends a subscription at once, a next() that waits included',
    async check(log) {
      await log.append('t', [event(0)])
      const subscription = log.subscribe('t')
      await followed(subscription, 0)
      const waiting = [subscription.next(), subscription.next()]
      same(await subscription.return?.(), { done: true }, 'return()')
      same(await Promise.all(waiting), [{ done: true }, { done: true }], 'the waiting next()')
      await log.append('t', [event(1)])
      same(await subscription.next(), { done: true }, 'a later next()')
    },
  },
  {
    name: 'next() may be asked ahead',
    async check(log) {
      const subscription = log.subscribe('t')
      const [first, second] = [subscription.next(), subscription.next()]
      await log.append('t', [event(0)])
      same(seqs((await first).value ?? []), [0], 'first step')
      await log.append('t', [event(1)])
      same(seqs((await second).value ?? []), [1], 'second step')
      await subscription.return?.()
    },
  },
  {
    name: 'a cursor in the future waits for what lies after it',
    async check(log) {
      const subscription = log.subscribe('t', { after: 2 })
      const waiting = subscription.next()
      await log.append('t', events(0, 3))
      await log.append('t', events(3, 5))
      same(seqs((await waiting).value ?? []), [3, 4], 'first step')
      await subscription.return?.()
    },
  },
  {
    name: 'closing the log ends its subscriptions',
    async check(log) {
      await log.append('t', [event(0)])
      const [waits, reads] = [log.subscribe('t', { after: 0 }), log.subscribe('t')]
      const waiting = waits.next()
      await log.close()
      same(await waiting, { done: true }, 'the one that waits')
      same(await reads.next(), { done: true }, 'the one that was to read')
    },
  },
]

/** Lets other work go ahead a few times between two reads. */
function slowly(
  subscription: ReturnType<EventLog['subscribe']>,
  pause: number,
): AsyncIterator<readonly LogRecord[]> {
  return {
    next: async () => {
      await ticks(pause)
      return subscription.next()
    },
  }
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await Promise.resolve()
}
