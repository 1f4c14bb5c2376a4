import { decide, evolve } from 'throughline'
import type { Json } from 'throughline'
import { expect, test } from 'vitest'
import { BROKER_EVENT_TYPES } from '../event-names.ts'
import { checkEvent } from '../event-checks.fixture.ts'
import { EMITTERS, EVERYBODY, domain, given } from '../given-case.fixture.ts'
import type { Act } from '../given-case.fixture.ts'
import { CASE_IN, COMPLETE, JOURNEY, SELECT, WITHDRAW, upTo } from '../journey.fixture.ts'
import { CASE_STATUSES } from '../state.ts'

const outcome: Act = { by: 'system', type: 'case_outcome', data: { kind: 'declined' } }
const consentRefused: Act = {
  ...JOURNEY.grant,
  data: { consentType: 'credit_search', granted: false },
}

checkEvent({
  name: '[A055] [B036] withdraw',
  given: upTo('quote'),
  act: WITHDRAW,
  gives: {
    status: 'withdrawn',
    caseOutcome: { kind: 'withdrawn', reason: 'not now', recordedAt: '2026-11-20T10:00:09.000Z' },
  },
  allowed: ['customer'],
  invalid: [{ reason: 5 }, { reason: 'x'.repeat(501) }],
  refused: [
    ['once declined', CASE_IN.declined, 'locked'],
    ['once complete', CASE_IN.complete, 'locked'],
    ['once an offer is selected', [...CASE_IN.selected, SELECT], 'locked'],
  ],
  again: 'locked',
})

checkEvent({
  name: '[A056] [A072] case_outcome',
  given: upTo('quote'),
  act: outcome,
  gives: { status: 'quote_ready', caseOutcome: expect.objectContaining({ kind: 'declined' }) },
  allowed: ['system'],
  invalid: [{}, { kind: 'approved' }, { kind: 'declined', reason: 'x'.repeat(501) }],
  refused: [],
  again: 'unchanged',
})

test('[A072] an outcome is set once: another kind afterwards is accepted and changes nothing', () => {
  const ended = given(...CASE_IN.withdrawn)
  const after = ended.when(outcome)
  expect(after.refusal).toBeUndefined()
  expect(after.case).toEqual(ended.case)
})

test.each([
  ['withdrawn', 'withdrawn', undefined],
  ['withdrawn', 'declined', 'not_authorised'],
  // Approved, and not yet taken by the customer.
  ['selected', 'selected', 'not_authorised'],
  ['quote_ready', 'completed', 'not_authorised'],
] as const)('[A056] the model says of a case that is %s that it is %s', (status, kind, refused) => {
  const before = given(...CASE_IN[status])
  const after = before.when({ ...outcome, by: 'customerModel', data: { kind } })
  expect(after.refusal?.refused).toBe(refused)
  expect(after.case).toEqual(before.case)
})

checkEvent({
  name: '[A057] case_complete',
  given: [...CASE_IN.selected, SELECT],
  act: COMPLETE,
  gives: { status: 'complete', caseOutcome: expect.objectContaining({ kind: 'selected' }) },
  allowed: ['customer', 'customerModel', 'system'],
  invalid: [null, 'yes'],
  refused: [
    ['in intake', CASE_IN.intake, 'precondition'],
    ['before submission', CASE_IN.quote_ready, 'precondition'],
    ['while lenders are asked', CASE_IN.submitting, 'precondition'],
  ],
  again: 'unchanged',
})

test('[A057] the model does not complete a case without an outcome', () => {
  const after = given(...CASE_IN.selected).when({ ...COMPLETE, by: 'customerModel' })
  expect(after.refusal?.refused).toBe('not_authorised')
})

test('[A057] a case that is completed without an outcome gets one', () => {
  const after = given(...CASE_IN.selected).when({ ...COMPLETE, by: 'system' })
  expect(after.case.caseOutcome?.kind).toBe('completed')
})

test.each([
  ['customer', undefined, 'complete'],
  ['system', 'precondition', 'quote_ready'],
  ['customerModel', 'not_authorised', 'quote_ready'],
] as const)('[A057] after a refused credit search %s is answered %s', (by, refused, status) => {
  const after = given(...upTo('presentConsent'), consentRefused).when({ ...COMPLETE, by })
  expect(after.refusal?.refused).toBe(refused)
  expect(after.case.status).toBe(status)
})

test.each(['declined', 'ineligible', 'withdrawn'] as const)(
  '[A057] completing a case that is %s is accepted and changes nothing',
  (status) => {
    const before = given(...CASE_IN[status])
    const after = before.when({ ...COMPLETE, by: 'customerModel' })
    expect(after.refusal).toBeUndefined()
    expect(after.case).toEqual(before.case)
  },
)

test.each(EVERYBODY)('[A058] request_decision is refused from %s in every status', (by) => {
  for (const status of CASE_STATUSES) {
    const after = given(...CASE_IN[status]).when({ by, type: 'request_decision' })
    expect(after.refusal?.refused).toBe('not_authorised')
  }
})

test('[A058] [A082] a log that holds request_decision still folds', () => {
  const { state } = given(...CASE_IN.quote_ready)
  const record = { id: 'old', ts: 0, type: 'request_decision', data: {}, v: 1 }
  expect(evolve(domain, state, { ...record, origin: EMITTERS.customerModel })).toBe(state)
})

test('[A082] [A089] an old log of parallel offers folds to a case with the selected offer', () => {
  const { state } = given(...CASE_IN.quote_ready)
  const stored = (type: string, data: Json) => ({ id: type, ts: 0, type, data, v: 1 })
  const origin = EMITTERS.customer
  const requested = evolve(domain, state, { ...stored('request_decision', {}), origin })
  const offer = stored('select_offer', { offerId: 'offer-2' })
  const selected = evolve(domain, requested, { ...offer, origin })

  expect(selected.case).toEqual({
    ...state.case,
    status: 'selected',
    selectedOfferId: 'offer-2',
    caseOutcome: { kind: 'selected', recordedAt: new Date(0).toISOString() },
    updatedAt: new Date(0).toISOString(),
  })
})

test('[A081] a type of a later version leaves the case alone', () => {
  const { state } = given(...CASE_IN.quote_ready)
  const record = { id: 'new', ts: 0, type: 'record_pets', data: {}, v: 1 }
  expect(evolve(domain, state, { ...record, origin: EMITTERS.customer })).toBe(state)
})

test('[A037] the domain holds the 21 types, and what the server and the audit record', () => {
  expect(BROKER_EVENT_TYPES).toHaveLength(21)
  expect([...domain.events.keys()].toSorted()).toEqual(
    [
      ...BROKER_EVENT_TYPES,
      'case_created',
      'case_hydrated',
      'waterfall_recorded',
      'journey_idle',
      'reveal_personal_data',
    ].toSorted(),
  )
})

test('[B038] a page and a model pass the same gate: only the origin decides', () => {
  const { state } = given(...CASE_IN.awaiting_customer)
  const proposal = { id: 'x', type: 'record_eligibility', data: JOURNEY.eligible.data }
  const question = { now: 0, typed: true }
  const fromModel = { ...proposal, origin: EMITTERS.customerModel }
  expect(decide(domain, state, { ...question, proposal: fromModel })).toMatchObject({
    refused: 'not_authorised',
  })
  const fromPage = { ...proposal, origin: EMITTERS.customer }
  expect(decide(domain, state, { ...question, proposal: fromPage })).toMatchObject({
    refused: 'precondition',
  })
})
