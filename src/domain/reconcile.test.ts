import { expect, test } from 'vitest'
import { z } from 'zod'
import { RECONCILE_ROUNDS_MAX, defineDomain, reconcile } from './index.ts'
import { lamp } from './lamp.fixture.ts'

const broken = { ...lamp.initial, broken: true }
const context = (pass: 'derive' | 'submit') => {
  let next = 0
  return { now: 7, id: () => `id-${next++}`, pass }
}

test('[B048] reconcile stops when no rule proposes', () => {
  const quiet = reconcile(lamp, lamp.initial, context('submit'))
  expect(quiet).toEqual({ state: lamp.initial, events: [], fired: [] })
})

test('[B050] a rule that starts work in the world waits for a pass that allows it', () => {
  expect(reconcile(lamp, broken, context('derive')).fired).toEqual(['R1'])
  expect(reconcile(lamp, broken, context('submit')).fired).toEqual(['R1', 'R2'])
})

test('what a rule proposes names the rule and its cause', () => {
  const causes = { R1: 'the-click' }
  const { events } = reconcile(lamp, broken, { ...context('submit'), causes })
  expect(events.map(({ origin }) => origin)).toEqual([
    { source: 'rule', rule: 'R1', depth: 0, cause: 'the-click' },
    { source: 'rule', rule: 'R2', depth: 0 },
  ])
})

test('[S6] reconciling a second time changes nothing', () => {
  const once = reconcile(lamp, broken, context('submit'))
  const twice = reconcile(lamp, once.state, context('submit'))
  expect(twice).toEqual({ state: once.state, events: [], fired: [] })
})

const { event, domain } = defineDomain<number>()
const count = event({ schema: z.int().max(1), by: [{ source: 'rule' }], reduce: (n) => n + 1 })

test('rules that feed each other are a bug that shows itself', () => {
  const restless = domain({
    name: 'restless',
    initial: 0,
    events: { count },
    rules: [{ name: 'again', propose: () => [{ type: 'count', data: 1 }] }],
  })
  const run = () => reconcile(restless, 0, context('derive'))
  expect(run).toThrow(`no quiet after ${RECONCILE_ROUNDS_MAX} rounds`)
  expect(run).toThrow('again; a rule must propose nothing once its events have happened')
})

test('a rule that proposes what the gate refuses is a bug that shows itself', () => {
  const clumsy = domain({
    name: 'clumsy',
    initial: 0,
    events: { count },
    rules: [{ name: 'wrong', propose: () => [{ type: 'count', data: 2 }] }],
  })
  expect(() => reconcile(clumsy, 0, context('derive'))).toThrow(
    'Cannot reconcile: rule "wrong" proposed "count", refused as invalid_payload; ' +
      "a rule may propose only what the event's schema, `by` and guard accept",
  )
})

test.each([
  [{ rules: [{ name: 'R1' }] }, 'its rule "R1": it has no function `propose`'],
  [
    { rules: [{ name: 'R1', propose: async () => [] }] },
    'its rule "R1": its `propose` is async; it must return its result itself',
  ],
  [
    { rules: [{ name: 'R1', propose: () => [], causedBy: 'paid' }] },
    'its rule "R1": its `causedBy` must be a function, and is a string',
  ],
  [
    { effects: [{ name: 'mail', due: function* () {} }] },
    'its effect "mail": its `due` is a generator; it must return its result itself',
  ],
  [
    { deadlines: [{ name: 'late', due: async () => undefined }] },
    'its deadline "late": its `due` is async; it must return its result itself',
  ],
])('a function of the wrong kind is refused where it is defined: %#', (parts, why) => {
  // A program that runs without a type check can have such functions.
  const given = parts as object
  expect(() => domain({ name: 'd', initial: 0, events: { count }, ...given })).toThrow(
    expect.objectContaining({ code: 'invalid_part', message: `Cannot define domain "d": ${why}` }),
  )
})

test.each([
  ['undefined', () => undefined],
  ['an object', () => ({ type: 'count', data: 1 })],
  ['a promise', () => Promise.resolve([])],
])('a rule that returns %s and no list is a bug that shows itself', (what, propose) => {
  const wrong = domain({
    name: 'wrong',
    initial: 0,
    events: { count },
    // A program that runs without a type check can have such a rule.
    rules: [{ name: 'R1', propose: propose as unknown as () => [] }],
  })
  expect(() => reconcile(wrong, 0, context('derive'))).toThrow(
    `Cannot reconcile: rule "R1" returned ${what}; ` +
      'return a list of { type, data }, an empty one to propose nothing',
  )
})

const click = event({ schema: z.int(), by: [{ source: 'ui' }], reduce: (n) => n + 1 })

test('a rule that may not propose its event is told what to add', () => {
  const rules = [{ name: 'R1', propose: () => [{ type: 'click', data: 1 } as const] }] as const
  const wrong = domain({ name: 'wrong', initial: 0, events: { count, click }, rules })
  expect(() => reconcile(wrong, 0, context('derive'))).toThrow(
    'rule "R1" proposed "click", refused as not_authorised; add { source: \'rule\' } to the event\'s `by`',
  )
  expect(() => domain({ name: 'wrong', initial: 0, events: { click }, rules })).toThrow(
    'its rule "R1" may propose nothing: add { source: \'rule\' } to the `by` of what it proposes',
  )
})

test('a rule that fires proposes once, and each of its events is evolved once', () => {
  let [proposed, reduced] = [0, 0]
  const counted = event({
    schema: z.int(),
    by: [{ source: 'rule' }],
    reduce: (n) => {
      reduced++
      return n + 1
    },
  })
  const twice = domain({
    name: 'twice',
    initial: 0,
    events: { count: counted },
    rules: [
      {
        name: 'up to two',
        propose: (n) => {
          proposed++
          const one = { type: 'count', data: 1 } as const
          return n === 0 ? [one, one] : []
        },
      },
    ],
  })
  expect(reconcile(twice, 0, context('derive'))).toMatchObject({ state: 2, fired: ['up to two'] })
  // Once for the two events and once to find that nothing is left.
  expect([proposed, reduced]).toEqual([2, 2])
})
