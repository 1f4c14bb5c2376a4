import fc from 'fast-check'
import { reconcile, replay } from 'throughline'
import { expect, test } from 'vitest'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { BROKER_EVENT_TYPES, BROKER_SYSTEM_TYPES } from './event-names.ts'
import { EVERYBODY, domain, given } from './given-case.fixture.ts'
import type { Act, GivenCase } from './given-case.fixture.ts'
import {
  ACCEPT,
  CASE_IN,
  COMPLETE,
  INELIGIBLE,
  JOURNEY,
  RECORDED,
  REFUSE,
  SELECT,
  WITHDRAW,
  upTo,
} from './journey.fixture.ts'
import { CASE_STATUSES } from './state.ts'
import type { CaseState } from './state.ts'

const RUNS = timesInTier({ quick: 100, full: 300 })

const known: readonly Act[] = [
  ...Object.values(JOURNEY),
  ...Object.values(RECORDED),
  ACCEPT,
  REFUSE,
  SELECT,
  WITHDRAW,
  COMPLETE,
  INELIGIBLE,
  { ...JOURNEY.grant, data: { consentType: 'credit_search', granted: false } },
]
const types = [...BROKER_EVENT_TYPES, ...BROKER_SYSTEM_TYPES]
const payloads = known.map(({ data = {} }) => data)

const pass = fc.constantFrom('derive' as const, 'submit' as const)
const proper: fc.Arbitrary<Act> = fc
  .record({ act: fc.constantFrom(...known), pass })
  .map(({ act, pass: inPass }) => ({ ...act, pass: inPass }))
const wild: fc.Arbitrary<Act> = fc.record({
  by: fc.constantFrom(...EVERYBODY),
  type: fc.oneof(fc.constantFrom(...types), fc.string()),
  data: fc.oneof(fc.constantFrom(...payloads), fc.jsonValue()),
  typed: fc.boolean(),
  pass,
})
const start = fc.constantFrom(...CASE_STATUSES).map((status) => CASE_IN[status])

function play(from: readonly Act[], acts: readonly Act[]): GivenCase {
  return acts.reduce((past, act) => past.when(act), given(...from))
}

test('[S5] [A085] [B029] replaying the records gives the case that was served', () => {
  const acts = fc.array(fc.oneof(proper, wild), { maxLength: 40 })
  fc.assert(
    fc.property(start, acts, (from, more) => {
      const { state, records } = play(from, more)
      const stored: typeof records = JSON.parse(JSON.stringify(records))
      expect(replay(domain, stored)).toEqual(state)
    }),
    { numRuns: RUNS },
  )
})

test('[S6] [B049] rules find nothing left to derive in a case that was reconciled', () => {
  const acts = fc.array(fc.oneof(proper, wild), { maxLength: 40 })
  fc.assert(
    fc.property(start, acts, pass, (from, more, inPass) => {
      const { state } = play(from, more)
      const context = { now: 0, id: () => 'x', pass: inPass }
      const once = reconcile(domain, state, context)
      expect(reconcile(domain, once.state, context).events).toEqual([])
      if (inPass === 'derive') expect(once.events).toEqual([])
    }),
    { numRuns: RUNS },
  )
})

test('[S6] without the customer there is no evidence', () => {
  const others = fc.array(
    fc.oneof(proper, wild).filter(({ by }) => by !== 'customer'),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(others, (acts) => {
      const untyped = acts
        .filter(({ type }) => type !== 'case_hydrated')
        .map((act) => ({ ...act, typed: false }))
      const { case: state } = play(upTo('create'), untyped)
      expect(evidenceOf(state)).toEqual([])
    }),
    { numRuns: RUNS },
  )
})

function evidenceOf({ disclosures, consents, eligibility, selectedOfferId }: CaseState) {
  return [
    ...disclosures.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined),
    ...consents,
    ...(eligibility ? [eligibility] : []),
    ...(selectedOfferId === undefined ? [] : [selectedOfferId]),
  ]
}

test('[M1] [B030] [B043] no model proposal moves eligibility, consent, price, offers or outcome', () => {
  const model = fc.constantFrom('customerModel' as const, 'installerModel' as const)
  const acts = fc.array(
    fc.record({ act: fc.oneof(proper, wild), by: model }).map(({ act, by }) => ({ ...act, by })),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(start, acts, (from, more) => {
      expect(regulated(play(from, more).case)).toEqual(regulated(given(...from).case))
    }),
    { numRuns: RUNS },
  )
})

function regulated(state: CaseState) {
  const { eligibility, consents, provisionalQuote, selectedOfferId, waterfall } = state
  const { personal, financial, emailPreference, caseOutcome } = state
  return {
    eligibility,
    consents,
    provisionalQuote,
    selectedOfferId,
    waterfall,
    personal,
    financial,
    emailPreference,
    caseOutcome,
  }
}

test('[S7] consents that a model emits again change nothing', () => {
  const stale: Act = { ...JOURNEY.grant, by: 'customerModel', typed: true }
  for (const status of CASE_STATUSES) {
    const before = given(...CASE_IN[status])
    expect(before.when(stale).case).toEqual(before.case)
  }
})

test('[B042] [B041] a customer whose model says nothing reaches an outcome by cards alone', () => {
  const silent = Object.values<Act>(JOURNEY).map((act): Act => {
    if (act.by === 'customerModel') return { ...act, by: 'customer' }
    return act.by === 'installerModel' ? { ...act, by: 'installer' } : act
  })
  const ready = given(...silent.slice(0, -2))
  const submitted = ready.when({ ...JOURNEY.confirmSummary, pass: 'submit' })
  expect(submitted.fired).toEqual(['R3'])
  const ended = [RECORDED.approved, SELECT, COMPLETE].reduce(
    (past, act) => past.when(act),
    submitted,
  )
  expect(ended.case).toMatchObject({ status: 'complete', caseOutcome: { kind: 'selected' } })
})

test('[B037] the model greets, paces and signposts: these are all the events that it may propose', () => {
  const proposable = (surface: string) =>
    [...domain.events]
      .filter(([, { by }]) => by.some((who) => who.source === 'model' && who.surface === surface))
      .map(([type]) => type)
      .toSorted()

  expect(proposable('customer')).toEqual([
    'acknowledge_disclosure',
    'case_complete',
    'case_outcome',
    'present_disclosure',
    'submit_application',
  ])
  expect(proposable('installer')).toEqual([
    'generate_customer_link',
    'installer_handoff_complete',
    'record_customer_contact',
    'record_project_facts',
  ])
})
