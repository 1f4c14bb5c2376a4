import { expect, test } from 'vitest'
import { caseView } from '../case/case-view.ts'
import { given } from '../case/given-case.fixture.ts'
import type { Act } from '../case/given-case.fixture.ts'
import { ACCEPT, CASE_IN, COMPLETE, JOURNEY, SELECT, upTo } from '../case/journey.fixture.ts'
import { recordView } from '../case/record-view.ts'
import { statusWords } from './status-words.ts'

const NO_CONSENT: Act = {
  ...JOURNEY.grant,
  data: { consentType: 'credit_search', granted: false },
}

test.each<[string, readonly Act[], string]>([
  ['with an offer', CASE_IN.selected, 'The customer has an offer'],
  ['with an accepted offer', [...CASE_IN.selected, SELECT], 'Loan accepted'],
  [
    'with an accepted counter-offer',
    [...CASE_IN.awaiting_counter_decision, ACCEPT],
    'Loan accepted',
  ],
  ['completed with a loan', CASE_IN.complete, 'Loan accepted'],
  [
    'completed after a refused search',
    [...upTo('presentConsent'), NO_CONSENT, COMPLETE],
    'No loan',
  ],
  ['declined', CASE_IN.declined, 'No loan'],
  ['ineligible', CASE_IN.ineligible, 'No loan'],
  ['withdrawn', CASE_IN.withdrawn, 'No loan'],
])('the installer reads how a case ended that is %s', (_, acts, words) => {
  const { state, records } = given(...acts)
  const shown = records.flatMap((record) => recordView(record, 'installer') ?? [])
  expect(statusWords(caseView(state, 'installer'), shown)).toBe(words)
})

test('a recovered case that is complete says no more than that', () => {
  expect(statusWords({ status: 'complete' }, [{ type: 'case_hydrated' }])).toBe('Finished')
})
