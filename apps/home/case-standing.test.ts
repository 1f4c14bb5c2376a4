import { expect, test } from 'vitest'
import { caseView } from '../broker/case/case-view.ts'
import { given } from '../broker/case/given-case.fixture.ts'
import type { Act } from '../broker/case/given-case.fixture.ts'
import { CASE_IN, SELECT, upTo } from '../broker/case/journey.fixture.ts'
import { readCaseView } from '../broker/customer/case-view.ts'
import type { Json } from 'throughline/client'
import { standingOf } from './case-standing.ts'

test.each<[string, readonly Act[], string]>([
  ['that the installer fills in', CASE_IN.intake, 'With the installer'],
  ['that the customer has not opened', CASE_IN.awaiting_customer, 'Step 1 of 8'],
  ['whose customer is eligible', upTo('eligible'), 'Step 3 of 8'],
  ['with a quote', upTo('email'), 'Step 4 of 8'],
  ['that waits for the consent', upTo('presentConsent'), 'Step 6 of 8'],
  ['that lenders look at', CASE_IN.waterfall_running, 'Step 8 of 8'],
  ['with a counter-offer', CASE_IN.awaiting_counter_decision, 'Step 8 of 8'],
  ['with an offer', CASE_IN.selected, 'Step 8 of 8'],
  ['with an accepted offer', [...CASE_IN.selected, SELECT], 'Loan accepted'],
  ['that is complete', CASE_IN.complete, 'Loan accepted'],
  ['that every lender declined', CASE_IN.declined, 'No loan'],
  ['that the customer left', CASE_IN.withdrawn, 'No loan'],
])('the list of cases says where a case stands %s', (_, acts, stands) => {
  const view = readCaseView(caseView(given(...acts).state, 'customer') as unknown as Json)
  expect(standingOf(view).stands).toBe(stands)
})

test('the list of cases names a customer and the amount, as far as they are known', () => {
  const view = (acts: readonly Act[]) =>
    readCaseView(caseView(given(...acts).state, 'customer') as unknown as Json)
  expect(standingOf(view(upTo('create'))).name).toBeUndefined()
  expect(standingOf(view(CASE_IN.quote_ready)).name).toMatch(/^Sarah, £[\d,]+$/)
})
