import { checkEvent } from '../event-checks.fixture.ts'
import { CASE_IN } from '../journey.fixture.ts'

checkEvent({
  name: '[surfaces 33] reveal_personal_data',
  given: CASE_IN.selected,
  act: { by: 'auditor', type: 'reveal_personal_data', data: { reason: ' A complaint ' } },
  gives: {},
  allowed: ['auditor', 'operator'],
  invalid: [null, {}, { reason: ' ' }, { reason: 'a'.repeat(501) }],
  refused: [],
  again: 'unchanged',
})
