import { assert } from '../assert/index.ts'
import {
  attempt,
  event,
  events,
  range,
  refuses,
  same,
  seqs,
  stored,
  uuid,
} from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'
import type { NewEvent } from './record.ts'

export const APPEND_RULES: readonly ContractRule[] = [
  {
    name: '[D081] seqs start at 0 and are gapless, the head is the last one',
    async check(log) {
      same(await log.head('t'), -1, 'head of a thread that holds nothing')
      same(seqs(await log.append('t', events(0, 3))), [0, 1, 2], 'first append')
      same(seqs(await log.append('t', [event(3)])), [3], 'second append')
      same(await log.head('t'), 3, 'head')
      same(seqs(await stored(log, 't')), range(0, 4), 'stored')
    },
  },
  {
    name: '[D082] what an event leaves out is stamped, and the whole record is answered',
    async check(log) {
      const [record] = await log.append('t', [{ type: 'bare', data: null }])
      assert(record, 'An append of one event answered with no record')
      const { seq, thread, type, data, origin, v } = record
      same({ seq, thread, type, data }, { seq: 0, thread: 't', type: 'bare', data: null }, 'record')
      same({ origin, v }, { origin: { source: 'system', depth: 0 }, v: 1 }, 'defaults')
      assert(Number.isSafeInteger(record.ts), `ts is ${record.ts}`)
      same(await log.find('t', record.id), record, 'found by its stamped id')
    },
  },
  {
    name: 'what an event brings is kept',
    async check(log) {
      const origin = {
        actor: 'p',
        rule: 'r',
        source: 'model',
        depth: 2,
        path: ['a', 'b'],
        attempt: 1,
        commit: { records: 1, pass: 'submit', typed: true },
      } as const
      const brought: NewEvent = { ...event(1, { a: [1, 'x', null] }), origin, v: 7 }
      const [record, other] = await log.append('t', [brought, event(2)])
      const ordered = ['source', 'path', 'depth', 'attempt', 'rule', 'actor', 'commit']
      same(Object.keys(record?.origin ?? {}), ordered, 'order of the origin')
      same({ ...origin, ...record?.origin }, origin, 'origin')
      same(other?.origin, event(2).origin, 'origin of the next')
      same([record?.id, record?.ts, record?.v], [uuid(1), 1_001, 7], 'id, ts, v')
      same(await stored(log, 't'), [record, other], 'stored')
    },
  },
  {
    name: 'an empty append answers with nothing and changes nothing',
    async check(log) {
      same(await log.append('t', []), [], 'empty append')
      same(await log.append('t', [], { expectedVersion: 9 }), [], 'empty append elsewhere')
      same([await log.head('t'), await log.threads()], [-1, []], 'head and threads')
    },
  },
  {
    name: '[A079] an id that the thread holds appends nothing, thousands of records later too',
    async check(log) {
      const [first] = await log.append('t', [event(0)])
      for (let n = 1; n <= 2_048; n += 256) await log.append('t', events(n, n + 256))
      const again = await log.append('t', [event(0, 'something else')])
      same(again, [first], 'answer to the known id')
      const mixed = await log.append('t', [event(5), event(9_000), event(7)])
      same(seqs(mixed), [5, 2_049, 7], 'answer to known and new ids')
      same(await log.head('t'), 2_049, 'head')
    },
  },
  {
    name: 'an id is the same in capital letters, and another in another thread',
    async check(log) {
      const id = 'ABCDEF00-0000-4000-8000-0000000000FF'
      const [first] = await log.append('t', [{ ...event(0), id }])
      same(first?.id, id.toLowerCase(), 'id as stored')
      same(await log.append('t', [{ ...event(0), id: id.toLowerCase() }]), [first], 'again')
      same(seqs(await log.append('u', [{ ...event(0), id }])), [0], 'in another thread')
      same(await log.find('t', id), first, 'found in capitals')
      same(await log.find('t', 'no uuid'), undefined, 'found by no id')
    },
  },
  {
    name: 'an id that occurs twice in one append is appended once',
    async check(log) {
      const records = await log.append('t', [event(1), event(2), event(1, 'late')])
      same(seqs(records), [0, 1, 0], 'answer')
      same(await log.head('t'), 1, 'head')
    },
  },
  {
    name: 'an append whose ids are all known is answered, whatever head its writer saw',
    async check(log) {
      const first = await log.append('t', events(0, 2), { expectedVersion: -1 })
      await log.append('t', [event(2)])
      same(await log.append('t', events(0, 2), { expectedVersion: -1 }), first, 'retry')
      const partly = () => log.append('t', events(1, 4), { expectedVersion: -1 })
      await refuses('version_conflict', partly)
      same(await log.head('t'), 2, 'head')
    },
  },
  {
    name: '[S4] of 50 concurrent appends with one expected version one wins',
    async check(log) {
      await log.append('t', [event(0)])
      const tries = range(1, 51).map((n) =>
        attempt(() => log.append('t', [event(2 * n), event(2 * n + 1)], { expectedVersion: 0 })),
      )
      const codes = (await Promise.all(tries)).map((refusal) => refusal?.code)
      same(codes.filter((code) => code === undefined).length, 1, 'winners')
      same(codes.filter((code) => code === 'version_conflict').length, 49, 'conflicts')
      same(seqs(await stored(log, 't')), [0, 1, 2], 'stored')
    },
  },
  {
    name: 'concurrent appends enter whole, in the order of the calls',
    async check(log) {
      const appends = range(0, 40).map((n) => log.append('t', events(10 * n, 10 * n + (n % 7))))
      const answers = (await Promise.all(appends)).flat()
      same(await stored(log, 't'), answers, 'stored')
      same(seqs(answers), range(0, answers.length), 'seqs')
    },
  },
  {
    name: 'an append with one unfit event stores none of them',
    async check(log) {
      const unfit = { ...event(2), type: '' }
      await refuses('invalid_event', () => log.append('t', [event(1), unfit, event(3)]))
      same([await log.head('t'), await log.threads()], [-1, []], 'head and threads')
    },
  },
  {
    name: 'threads are apart, and listed in order of their first record',
    async check(log) {
      await Promise.all([
        log.append('zwei', [event(1)]),
        log.append('eins', events(1, 3)),
        log.append('zwei', [event(2)]),
      ])
      same(await log.threads(), ['zwei', 'eins'], 'threads')
      same(seqs(await stored(log, 'eins')), [0, 1], 'one thread')
      same(
        (await stored(log, 'zwei')).map(({ thread }) => thread),
        ['zwei', 'zwei'],
        'other',
      )
    },
  },
  {
    name: 'a closed log refuses',
    async check(log) {
      await log.append('t', [event(0)])
      await log.close()
      await refuses('closed', () => log.append('t', [event(1)]))
      await refuses('closed', () => log.head('t'))
      await refuses('closed', () => stored(log, 't'))
      await refuses('closed', async () => log.subscribe('t'))
      await log.close()
    },
  },
]
