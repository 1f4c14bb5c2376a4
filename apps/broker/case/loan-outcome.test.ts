import { expect, test } from 'vitest'
import { given } from './given-case.fixture.ts'
import type { Act } from './given-case.fixture.ts'
import { ACCEPT, CASE_IN, COMPLETE, JOURNEY, SELECT, WITHDRAW, upTo } from './journey.fixture.ts'
import { loanOutcome } from './loan-outcome.ts'

const NO_CONSENT: Act = {
  ...JOURNEY.grant,
  data: { consentType: 'credit_search', granted: false },
}

test.each<[string, readonly Act[], string | undefined]>([
  ['with a quote', CASE_IN.quote_ready, undefined],
  ['that waits for an answer to a counter-offer', CASE_IN.awaiting_counter_decision, undefined],
  ['with an approved offer that the customer has not accepted', CASE_IN.selected, undefined],
  ['with an accepted offer', [...CASE_IN.selected, SELECT], 'loan_accepted'],
  [
    'with an accepted counter-offer',
    [...CASE_IN.awaiting_counter_decision, ACCEPT],
    'loan_accepted',
  ],
  ['that was completed after an accepted offer', CASE_IN.complete, 'loan_accepted'],
  ['with an offer that the customer left', [...CASE_IN.selected, WITHDRAW], 'no_loan'],
  ['that every lender declined', CASE_IN.declined, 'no_loan'],
  ['of a customer who cannot apply', CASE_IN.ineligible, 'no_loan'],
  ['that the customer left', CASE_IN.withdrawn, 'no_loan'],
  [
    'that the customer closed after a refused search',
    [...upTo('presentConsent'), NO_CONSENT, COMPLETE],
    'no_loan',
  ],
])('the loan outcome of a case %s', (_, acts, outcome) => {
  expect(loanOutcome(given(...acts).case)).toBe(outcome)
})
