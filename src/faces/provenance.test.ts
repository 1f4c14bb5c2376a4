import { expect, test } from 'vitest'
import type { LogRecord, Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { Provenance, REASONS_MAX } from './provenance.ts'
import { recordAt } from '../../test/memory-log.fixture.ts'

const model: Origin = { source: 'model', depth: 0, run: 'r', turn: 't' }
const shown = { record: (record: LogRecord) => record }

const PAID = { paid: 1 }

type Entry = Partial<LogRecord> & { readonly state?: Json }

/** Takes records of these types, data and origins; an entry with a state leads to it. */
function reasonsOf(
  path: string,
  entries: readonly Entry[],
  view: { readonly record: (record: LogRecord) => LogRecord | undefined } = shown,
) {
  let state: Json = {}
  const followed = {
    get state() {
      return state
    },
    take: ({ seq }: LogRecord) => {
      state = entries[seq]?.state ?? state
    },
  }
  const provenance = new Provenance({ path, view, followed })
  for (const [seq, entry] of entries.entries()) {
    provenance.take(recordAt(seq, { type: 'paid', ...entry }))
  }
  return provenance
}

const output = (text: string): Partial<LogRecord> => ({
  type: 'CUSTOM',
  data: { name: 'throughline.model_output', value: { text } },
  origin: model,
})
const tag = (type: string, n: number) => `<agent-event type="${type}" data='{"n":${n}}' />`

test('the records that changed a value tell what changed there and below it, and no others do', () => {
  const states: readonly Json[] = [
    { a: { b: 1 } },
    { a: { b: 1, c: 2 } },
    { a: { b: { d: 3 } } },
    { a: { b: { d: 4 } } },
    { x: 1 },
    { x: 1, a: {} },
  ]
  const entries = states.map((state) => ({ state }))
  expect(reasonsOf('/a/b', entries).reasons.map(({ seq, ops }) => [seq, ...ops])).toEqual([
    [0, { op: 'add', path: '/a/b', value: 1 }],
    [2, { op: 'replace', path: '/a/b', value: { d: 3 } }],
    [3, { op: 'replace', path: '/a/b/d', value: 4 }],
    [4, { op: 'remove', path: '/a/b' }],
  ])
  expect(reasonsOf('', entries).reasons).toHaveLength(entries.length)
})

test('an item that another one moved is a change of its place', () => {
  const entries = [{ state: ['a', 'b', 'c'] }, { state: ['b', 'c'] }]
  expect(reasonsOf('/1', entries).reasons.at(-1)).toMatchObject({
    seq: 1,
    ops: [{ op: 'replace', path: '/1', value: 'c' }],
  })
})

test('an event of a model names its tag, in the order of the tags, and the message that it answers', () => {
  const person: Origin = { source: 'ui', depth: 0, turn: 't' }
  const { reasons } = reasonsOf('', [
    { type: 'TEXT_MESSAGE_CONTENT', data: { delta: 'Pay ' }, origin: person },
    { type: 'TEXT_MESSAGE_CONTENT', data: { delta: 'now.' }, origin: person },
    output(`Yes. ${tag('paid', 1)} ${tag('paid', 2)}`),
    { type: 'event_refused', data: { type: 'paid' }, origin: model },
    { origin: model, state: PAID },
  ])
  expect(reasons).toMatchObject([
    { seq: 4, said: { seq: 2, tag: tag('paid', 2) }, asked: { seq: 0, text: 'Pay now.' } },
  ])
})

test('an event of a rule names the record that caused it', () => {
  const origin: Origin = { source: 'rule', rule: 'R1', depth: 0, cause: 'id-0' }
  const { reasons } = reasonsOf('/paid', [{ type: 'ordered' }, { origin, state: PAID }])
  expect(reasons[0]).toMatchObject({ record: { origin }, cause: { seq: 0, type: 'ordered' } })
})

test('of a record that the role may not see a reason tells what changed alone', () => {
  const { reasons } = reasonsOf('', [{ state: PAID }], { record: () => undefined })
  expect(reasons).toEqual([{ seq: 0, ts: 0, ops: [{ op: 'add', path: '/paid', value: 1 }] }])
})

test('the newest reasons are kept', () => {
  const entries = Array.from({ length: REASONS_MAX + 5 }, (_, paid) => ({ state: { paid } }))
  const { reasons, isCut } = reasonsOf('/paid', entries)
  expect([reasons.length, reasons[0]?.seq, isCut]).toEqual([REASONS_MAX, 5, true])
})
