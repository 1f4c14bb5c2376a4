import { expect, test } from 'vitest'
import { caseView } from './case-view.ts'
import { given } from './given-case.fixture.ts'
import { CASE_IN, RECORDED, upTo } from './journey.fixture.ts'
import { CASE_STATUSES } from './state.ts'

const REASONS = /INCOME_BELOW_MINIMUM|HIGHER_APR|"reason"/

test.each(CASE_STATUSES)(
  '[E11] an installer sees exactly eight fields of a case that is %s',
  (status) => {
    const { state } = given(...CASE_IN[status])
    const view = caseView(state, 'installer')
    expect(Object.keys(view)).toEqual([
      'sessionId',
      'retailerName',
      'status',
      'project',
      'contact',
      'installerHandoffComplete',
      'createdAt',
      'updatedAt',
    ])
    expect(JSON.stringify(view)).not.toMatch(
      /vulnerab|annualIncome|dateOfBirth|consents|"waterfall"/,
    )
  },
)

test.each([
  ['a counter-offer', CASE_IN.awaiting_counter_decision],
  ['an approval', CASE_IN.selected],
  ['a decline', CASE_IN.declined],
])('[E11] a customer sees %s without any lender’s reason', (_, acts) => {
  const { state } = given(...acts)
  const view = caseView(state, 'customer')
  expect(JSON.stringify(view)).not.toMatch(REASONS)
  expect(view.waterfall?.steps).toHaveLength(state.case.waterfall?.steps.length ?? 0)
  expect({ ...view, waterfall: state.case.waterfall }).toEqual(state.case)
})

test('a lender that could not be reached is a step without a reason', () => {
  const { waterfall } = given(...CASE_IN.declined).case
  const steps = [
    {
      lender: 'A bank',
      position: 'Prime Priority 1',
      outcome: { kind: 'unavailable', reason: 'TIMEOUT' },
    },
  ]
  const act = { ...RECORDED.unsettled, data: { result: { ...waterfall, steps } } }
  const view = caseView(given(...upTo('submit'), act).state, 'customer')
  expect(view.waterfall?.steps[0]?.outcome).toEqual({ kind: 'unavailable' })
})

test('auditor and operator see the case as it is', () => {
  const { state } = given(...CASE_IN.declined)
  expect(caseView(state, 'auditor')).toBe(state.case)
  expect(caseView(state, 'operator')).toBe(state.case)
})
