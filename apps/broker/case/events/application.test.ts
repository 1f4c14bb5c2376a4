import { expect, test } from 'vitest'
import { checkEvent } from '../event-checks.fixture.ts'
import { given } from '../given-case.fixture.ts'
import {
  ACCEPT,
  CASE_IN,
  JOURNEY,
  OFFER,
  RECORDED,
  REFUSE,
  SELECT,
  WITHDRAW,
  upTo,
  upToWithout,
} from '../journey.fixture.ts'

const counterWaits = CASE_IN.awaiting_counter_decision

checkEvent({
  name: '[A051] [A073] submit_application',
  given: CASE_IN.quote_ready,
  act: JOURNEY.submit,
  gives: { status: 'submitting' },
  allowed: ['customerModel', 'rule', 'system'],
  invalid: [null, 'now'],
  refused: [
    ['without a quote', upToWithout('eligible'), 'precondition'],
    ['without the grant', upTo('presentConsent'), 'precondition'],
    ['without the confirmed summary', upTo('grant'), 'precondition'],
    ['once lenders were asked', counterWaits, 'precondition'],
    ['once the case has ended', CASE_IN.withdrawn, 'locked'],
  ],
  again: 'precondition',
})

checkEvent({
  name: '[A052] [A075] accept_counter_offer',
  given: counterWaits,
  act: ACCEPT,
  gives: {
    status: 'selected',
    selectedOfferId: OFFER.id,
    caseOutcome: { kind: 'selected', recordedAt: '2026-11-20T10:00:18.000Z' },
    waterfall: expect.objectContaining({ acceptedOffer: OFFER, awaitingCounterDecision: false }),
  },
  allowed: ['customer'],
  invalid: [null, 1],
  refused: [
    ['while lenders are asked', CASE_IN.waterfall_running, 'precondition'],
    ['when a lender approved as requested', CASE_IN.selected, 'precondition'],
    ['before submission', CASE_IN.quote_ready, 'precondition'],
    ['once declined', CASE_IN.declined, 'locked'],
    ['once withdrawn', [...counterWaits, WITHDRAW], 'locked'],
  ],
  again: 'unchanged',
})

checkEvent({
  name: '[A053] [A076] refuse_counter_offer',
  given: counterWaits,
  act: REFUSE,
  gives: {
    status: 'waterfall_running',
    waterfall: expect.objectContaining({ awaitingCounterDecision: false }),
  },
  allowed: ['customer'],
  invalid: [null, 1],
  refused: [
    ['when a lender approved as requested', CASE_IN.selected, 'precondition'],
    ['before submission', CASE_IN.quote_ready, 'precondition'],
    ['once accepted', [...counterWaits, ACCEPT], 'locked'],
    ['once declined', CASE_IN.declined, 'locked'],
  ],
  again: 'unchanged',
})

checkEvent({
  name: '[A054] select_offer',
  given: CASE_IN.selected,
  act: SELECT,
  gives: {
    status: 'selected',
    selectedOfferId: OFFER.id,
    caseOutcome: { kind: 'selected', recordedAt: '2026-11-20T10:00:18.000Z' },
  },
  allowed: ['customer'],
  invalid: [{}, { offerId: '' }, { offerId: 7 }],
  refused: [
    ['while a counter-offer waits', counterWaits, 'precondition'],
    ['before submission', CASE_IN.quote_ready, 'precondition'],
    ['once withdrawn', [...CASE_IN.selected, WITHDRAW], 'locked'],
  ],
  again: 'unchanged',
})

test.each([
  ['before', [], 'precondition'],
  ['after', [SELECT], 'locked'],
])('[A054] another offer cannot be selected %s the tap', (_, acts, refused) => {
  const another = { ...SELECT, data: { offerId: 'offer-2' } }
  const after = given(...CASE_IN.selected, ...acts).when(another)
  expect(after.refusal?.refused).toBe(refused)
})

test('[A054] an approval alone selects nothing: the outcome waits for the tap', () => {
  const { status, caseOutcome, selectedOfferId } = given(...CASE_IN.selected).case
  expect({ status, caseOutcome, selectedOfferId }).toEqual({ status: 'selected' })
})

test('a waterfall that ends after the customer withdrew is kept, and the case stays withdrawn', () => {
  const after = given(...CASE_IN.submitting, WITHDRAW).when(RECORDED.approved)
  expect(after.case.status).toBe('withdrawn')
  expect(after.case.waterfall?.acceptedOffer).toEqual(OFFER)
})
