import { expect, test } from 'vitest'
import { AT_GATE } from '../narrator/case-states.fixture.ts'
import type { CaseView } from './case-view.ts'
import { turnDownOf } from './turned-down.ts'

const AT_COUNTER: CaseView = AT_GATE.counter.case

test('a counter-offer that is turned down names the lender that is asked next', () => {
  const lenders = [
    { lender: 'First', status: 'answered', answer: 'approved_with_counter' },
    { lender: 'Second', status: 'next' },
  ] as const
  expect(turnDownOf({ ...AT_COUNTER, lenders })).toMatchObject({
    act: 'Ask Second',
    ends: 'the offer',
    event: { type: 'refuse_counter_offer' },
  })
})

test('where no lender is left, turning the offer down ends the application', () => {
  const lenders = [
    { lender: 'First', status: 'answered', answer: 'approved_with_counter' },
  ] as const
  expect(turnDownOf({ ...AT_COUNTER, lenders })).toMatchObject({
    act: 'No, thank you',
    ends: 'the application',
    event: { type: 'refuse_counter_offer' },
  })
})

test('an older case does not name the next lender, and a case without an offer has none to turn down', () => {
  expect(turnDownOf(AT_COUNTER)).toMatchObject({ act: 'Ask the next lender' })
  expect(turnDownOf(AT_GATE.quote.case)).toBeUndefined()
})
