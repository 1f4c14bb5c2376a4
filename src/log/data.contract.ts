import { assert } from '../assert/index.ts'
import { DATA_DEPTH_MAX } from './encode-json.ts'
import { event, refuses, same, stored } from './contract-rule.ts'
import type { ContractRule } from './contract-rule.ts'
import type { NewEvent } from './record.ts'
import type { Json } from '../json/index.ts'
import { recordJson } from './seal.ts'

/** Texts that some layer between an event and its reader is known to spoil. */
const TEXTS = [
  '',
  'Grüße, 世界, 👩‍👩‍👧‍👦',
  'line\nline\r\nline\u2028line\u2029line\u0085',
  'nul \0 and bell \u0007 and delete \u007f',
  'lone \ud800 and \udfff surrogates \udc00\ud800',
  '\ufeffbyte order mark, replacement \ufffd, last \uffff',
  '"quotes" \\back\\slashes\\ </script> \' `',
]

const DATA: readonly Json[] = [
  ...TEXTS,
  Object.fromEntries(TEXTS.map((text) => [text, text])),
  [0, 1.5, -1e-7, 1e21, 5e-324, Number.MAX_VALUE, Number.MIN_SAFE_INTEGER, 0.1 + 0.2],
  { 10: 'ten', b: 1, 9: 'nine', a: 2, constructor: 'c', toString: 't', '': [] },
  [[], {}, [[]], [{}], null, true, false],
]

const DEEPEST = nested(DATA_DEPTH_MAX)

/** Values that are a type error in TypeScript. */
const UNFIT: readonly unknown[] = [
  undefined,
  () => 'a function',
  Symbol('a symbol'),
  10n,
  NaN,
  Infinity,
  [1, -Infinity],
  [undefined],
  Array(3),
  { deep: [{ in: new Map() }] },
  new Date(0),
  new (class Thing {})(),
  Object(1),
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { toJSON: () => 'another value' },
  cyclic(),
  [DEEPEST],
]

const UNFIT_EVENTS: readonly object[] = [
  { type: '' },
  { type: 'x'.repeat(129) },
  { type: 7 },
  { id: 'not-a-uuid' },
  { id: '00000000-0000-7000-8000-00000000000g' },
  { ts: 1.5 },
  { ts: NaN },
  { ts: '1' },
  { v: 0 },
  { origin: { source: 'moon', depth: 0 } },
  { origin: { source: 'ui' } },
  { origin: { source: 'ui', depth: -1 } },
  { origin: { source: 'ui', depth: 0, agent: 1 } },
  { origin: { source: 'ui', depth: 0, path: 'a' } },
  { origin: { source: 'ui', depth: 0, whim: 'x' } },
  { origin: { source: 'ui', depth: 0, commit: 1 } },
  { origin: { source: 'ui', depth: 0, commit: { pass: 'submit' } } },
  { origin: { source: 'ui', depth: 0, commit: { records: 1, pass: 'derive' } } },
  { origin: { source: 'ui', depth: 0, commit: { records: 1, typed: false } } },
  { origin: { source: 'ui', depth: 0, commit: { records: 1, whim: 1 } } },
]

const UNFIT_THREADS = ['', 'x'.repeat(201), 'new\nline', 'nul\0', 'del\u007f', 'lone \ud800']

export const DATA_RULES: readonly ContractRule[] = [
  {
    name: '[E5] every text and number that JSON carries comes back as it was given',
    async check(log) {
      const appended = await log.append(
        't',
        DATA.map((data, n) => event(n, data)),
      )
      same(
        appended.map(({ data }) => data),
        DATA,
        'answered',
      )
      const read = await stored(log, 't')
      same(read, appended, 'read')
      same(read.map(recordJson), appended.map(recordJson), 'as text')
      const { ok, head } = await log.verify('t')
      same({ ok, head }, { ok: true, head: DATA.length - 1 }, 'verdict')
    },
  },
  {
    name: '[X5] what JSON cannot carry is refused, wherever it lies',
    async check(log) {
      for (const data of UNFIT) {
        // Untyped callers may pass this.
        await refuses('invalid_event', () => log.append('t', [event(1, { at: [data] } as Json)]))
      }
      same(await log.head('t'), -1, 'head')
      same(Object.hasOwn(Object.prototype, 'polluted'), false, 'polluted')
    },
  },
  {
    name: '[X2] data nests to a bound',
    async check(log) {
      const [record] = await log.append('t', [event(1, DEEPEST)])
      same(record?.data, DEEPEST, 'deepest data')
    },
  },
  {
    name: 'unfit events and thread names are refused',
    async check(log) {
      for (const part of UNFIT_EVENTS) {
        const unfit: NewEvent = { ...event(1), ...part }
        await refuses('invalid_event', () => log.append('t', [unfit]))
      }
      for (const thread of UNFIT_THREADS) {
        await refuses('invalid_event', () => log.append(thread, [event(1)]))
        same([await log.head(thread), await stored(log, thread)], [-1, []], 'no such thread')
      }
      same(await log.threads(), [], 'threads')
      const [record] = await log.append('lone \ufffd', [event(1)])
      same(await log.head('lone \ud800'), -1, 'head of a name that only looks the same')
      same(await log.find('lone \ud800', record?.id ?? ''), undefined, 'found under it')
    },
  },
  {
    name: 'a member that is undefined is left out, negative zero is zero',
    async check(log) {
      const [record] = await log.append('t', [event(1, { a: undefined, b: [-0] })])
      same(record?.data, { b: [0] }, 'data')
      assert(Array.isArray(record?.data) === false, 'data became an array')
    },
  },
  {
    name: 'a record is stored up to 1 MiB, in bytes',
    async check(log) {
      const [first] = await log.append('t', [event(1, 'x'.repeat(1_048_576 - 500))])
      same(first?.seq, 0, 'seq')
      await refuses('too_large', () => log.append('t', [event(2, 'x'.repeat(1_048_576 - 200))]))
      await refuses('too_large', () => log.append('t', [event(2, 'é'.repeat(524_288 - 100))]))
      await refuses('too_large', () => log.append('t', [event(2, '世'.repeat(349_525 - 60))]))
      await refuses('too_large', () => log.append('t', [event(2, '👾'.repeat(262_144 - 58))]))
      same((await log.append('t', [event(2, '👾'.repeat(262_144 - 60))]))[0]?.seq, 1, 'seq')
    },
  },
  {
    name: 'what a caller does to its events later changes nothing',
    async check(log) {
      const data = { list: [{ n: 1 }] }
      const origin = { source: 'ui' as const, depth: 0, path: ['a'] }
      const appending = log.append('t', [{ ...event(1, data), origin }])
      data.list[0] = { n: 2 }
      origin.path.push('b')
      const [record] = await appending
      data.list.push({ n: 3 })
      same([record?.data, record?.origin.path], [{ list: [{ n: 1 }] }, ['a']], 'answered')
      same(await stored(log, 't'), [record], 'stored')
    },
  },
]

function nested(depth: number): Json {
  let data: Json = 'bottom'
  for (let level = 0; level < depth; level++) data = level % 2 ? [data] : { data }
  return data
}

function cyclic(): unknown {
  const data: Record<string, unknown> = {}
  data['self'] = [data]
  return data
}
