import { expect, test } from 'vitest'
import { checkEvent } from '../event-checks.fixture.ts'
import { given } from '../given-case.fixture.ts'
import { CASE_IN, INELIGIBLE, JOURNEY, WITHDRAW, upTo, upToWithout } from '../journey.fixture.ts'

checkEvent({
  name: '[A042] [B031] record_eligibility',
  given: CASE_IN.customer_active,
  act: JOURNEY.eligible,
  gives: { status: 'quote_ready', eligibility: expect.objectContaining(JOURNEY.eligible.data) },
  allowed: ['customer'],
  invalid: [
    {},
    { ...JOURNEY.eligible.data, isEmployed: undefined },
    { ...JOURNEY.eligible.data, isOver18: 'yes' },
    { ...JOURNEY.eligible.data, isOver18: 1 },
  ],
  refused: [
    ['before service_status is acknowledged', CASE_IN.awaiting_customer, 'precondition'],
    ['in intake', CASE_IN.intake, 'precondition'],
    ['once there is a quote', upTo('quote'), 'precondition'],
    ['once ineligible', CASE_IN.ineligible, 'locked'],
  ],
  again: 'captured anew',
})

test.each(['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'])(
  '[A042] a customer who fails %s is ineligible, and the outcome names it',
  (criterion) => {
    const data = { ...JOURNEY.eligible.data, [criterion]: false }
    const after = given(...CASE_IN.customer_active).when({ ...JOURNEY.eligible, data })
    expect(after.case.status).toBe('ineligible')
    expect(after.case.caseOutcome).toMatchObject({ kind: 'ineligible', reason: criterion })
  },
)

test('[A042] the outcome names the first criterion that failed', () => {
  const data = { isOver18: true, isUkResident: false, isHomeowner: false, isEmployed: false }
  const after = given(...CASE_IN.customer_active).when({ ...JOURNEY.eligible, data })
  expect(after.case.caseOutcome?.reason).toBe('isUkResident')
})

test('[A042] answers may be corrected until there is a quote', () => {
  const after = given(...upTo('eligible')).when(INELIGIBLE)
  expect(after.case.status).toBe('ineligible')
})

test('[A042] a customer who acknowledged before the hand-off can answer after it', () => {
  const early = [JOURNEY.presentStatus, JOURNEY.acknowledgeStatus]
  const waiting = given(...CASE_IN.intake, ...early, JOURNEY.link)
  expect(waiting.case.status).toBe('awaiting_customer')
  expect(waiting.when(JOURNEY.eligible).case.status).toBe('quote_ready')
  expect(waiting.when(INELIGIBLE).case.status).toBe('ineligible')
})

checkEvent({
  name: '[A043] [B032] record_provisional_quote',
  given: upTo('eligible'),
  act: { ...JOURNEY.quote, data: { termMonths: 120, monthlyPayment: 1, amount: 99 } },
  gives: {
    status: 'quote_ready',
    provisionalQuote: {
      amount: 15_750,
      termMonths: 120,
      indicativeAprPct: 9.15,
      monthlyPayment: 197.71,
      totalPayable: 23_725.2,
      capturedAt: '2026-11-20T10:00:08.000Z',
    },
  },
  allowed: ['customer'],
  invalid: [
    {},
    { termMonths: 35 },
    { termMonths: 181 },
    { termMonths: 84.5 },
    { termMonths: '84' },
  ],
  refused: [
    ['before eligibility', CASE_IN.customer_active, 'precondition'],
    ['once submitted', CASE_IN.submitting, 'precondition'],
    ['while a counter-offer waits', CASE_IN.awaiting_counter_decision, 'precondition'],
    ['once the case has ended', CASE_IN.withdrawn, 'locked'],
  ],
  again: 'captured anew',
})

test('[A043] the record holds the whole quote, so that replay never prices again', () => {
  const after = given(...upTo('quote'))
  expect(after.records.at(-1)?.data).toEqual(after.case.provisionalQuote)
})

test('[A043] another term replaces the quote', () => {
  const after = given(...upTo('quote')).when({ ...JOURNEY.quote, data: { termMonths: 84 } })
  expect(after.case.provisionalQuote).toMatchObject({ termMonths: 84, monthlyPayment: 251.71 })
})

test('[A043] a loan of nothing cannot be quoted', () => {
  const paid = { ...JOURNEY.project, data: { projectValue: 100, depositAmount: 100 } }
  const acts = upTo('eligible').map((act) => (act.type === paid.type ? paid : act))
  const project = { productSpec: 'panels_only', ...paid.data }
  const zero = acts.map((act) => (act === paid ? { ...paid, data: project } : act))
  expect(given(...zero).when(JOURNEY.quote).refusal?.refused).toBe('precondition')
})

checkEvent({
  name: '[A044] record_email_preference',
  given: upTo('quote'),
  act: { ...JOURNEY.email, data: { wantsEmailCopy: true, email: ' s@example.com ' } },
  gives: { emailPreference: expect.objectContaining({ email: 's@example.com' }) },
  allowed: ['customer'],
  invalid: [{}, { wantsEmailCopy: 'yes' }, { wantsEmailCopy: true, email: 'nowhere' }],
  refused: [
    ['before eligibility', CASE_IN.customer_active, 'precondition'],
    ['once the case has ended', [...upTo('quote'), WITHDRAW], 'locked'],
  ],
  again: 'captured anew',
})

test('[A044] a case without an answer about email goes on', () => {
  const after = given(...upToWithout('presentConsent', 'email'))
  expect(after.case.disclosures).toHaveLength(2)
})
