import { reconcile } from 'throughline'
import { expect, test } from 'vitest'
import { domain, given } from './given-case.fixture.ts'
import type { BrokerState } from './case-domain.ts'
import type { Act } from './given-case.fixture.ts'
import { CASE_IN, JOURNEY, WITHDRAW, upTo, upToWithout } from './journey.fixture.ts'
import { brokerRules } from './rules.ts'
import type { CaseState } from './state.ts'

function settle(state: BrokerState, pass: 'derive' | 'submit') {
  let count = 0
  return reconcile(domain, state, { now: Date.parse('2026-11-20'), id: () => `r${count++}`, pass })
}

function ready(changes: (state: CaseState) => Partial<CaseState>): BrokerState {
  const { state } = given(...CASE_IN.quote_ready)
  return { ...state, case: { ...state.case, ...changes(state.case) } }
}

test('[B048] there are exactly three rules, and only the third starts work', () => {
  expect(brokerRules.map(({ name, submits = false }) => [name, submits])).toEqual([
    ['R1', false],
    ['R2', false],
    ['R3', true],
  ])
})

test('[B044] R1 acknowledges the consent text that a granted search was shown with', () => {
  const { fired, records, case: state } = given(...upTo('grant'))
  expect(fired).toEqual(['R1', 'R2'])
  expect(records.at(-2)).toMatchObject({
    type: 'acknowledge_disclosure',
    data: { id: 'credit_search_consent' },
    origin: { source: 'rule', rule: 'R1' },
  })
  expect(state.disclosures[1]?.acknowledgedAt).toBe('2026-11-20T10:00:14.000Z')
})

test('[B045] R2 presents the pre-contract summary, its version locked', () => {
  const { records, case: state } = given(...upTo('grant'))
  expect(records.at(-1)).toMatchObject({
    type: 'present_disclosure',
    data: { id: 'pre_contract_summary', version: 1, contentHash: expect.any(String) },
    origin: { source: 'rule', rule: 'R2' },
  })
  expect(state.disclosures[2]).toMatchObject({ id: 'pre_contract_summary', version: 1 })
})

test('[B039] R1 and R2 hold the journey together when the model forgets both', () => {
  const acts = upToWithout('submit', 'presentConsent')
  const byPage: Act = { ...JOURNEY.presentConsent, by: 'customer' }
  const before = acts.slice(0, acts.indexOf(JOURNEY.grant))
  const after = given(...before, byPage, JOURNEY.grant, JOURNEY.confirmSummary)
  expect(after.when({ ...JOURNEY.confirmSummary, pass: 'submit' }).fired).toEqual(['R3'])
})

test('[B046] R3 submits when everything is there', () => {
  const after = given(...upTo('grant')).when({ ...JOURNEY.confirmSummary, pass: 'submit' })
  expect(after.fired).toEqual(['R3'])
  expect(after.case.status).toBe('submitting')
})

test('[B050] R3 never fires in a pass that only derives', () => {
  expect(given(...CASE_IN.quote_ready).fired).toEqual([])
  expect(
    settle(
      ready(() => ({})),
      'derive',
    ).events,
  ).toEqual([])
})

const without = (id: string) => (state: CaseState) => ({
  disclosures: state.disclosures.map((record) => ({
    id: record.id,
    presentedAt: record.presentedAt,
    ...(record.id !== id && record.acknowledgedAt && { acknowledgedAt: record.acknowledgedAt }),
  })),
})
const MISSING: readonly (readonly [string, (state: CaseState) => Partial<CaseState>])[] = [
  ['consent', () => ({ consents: [] })],
  [
    'a consent that is granted',
    ({ consents }) => ({ consents: consents.map((consent) => ({ ...consent, granted: false })) }),
  ],
  ['the confirmed summary', without('pre_contract_summary')],
  ['a full name', () => ({ personal: { town: 'Swindon' } })],
  ['an employment status', () => ({ financial: { annualIncome: 42_000 } })],
  ['the status quote_ready', () => ({ status: 'customer_active' })],
  ['an open case', () => ({ caseOutcome: { kind: 'withdrawn', recordedAt: '' } })],
]
test.each(MISSING)('[B047] R3 does not fire without %s', (_, changes) => {
  expect(settle(ready(changes), 'submit').fired).not.toContain('R3')
})

function withoutQuote({ provisionalQuote: _quote, ...rest }: CaseState): CaseState {
  return rest
}

test('[B047] R3 does not fire without a quote', () => {
  const { state } = given(...CASE_IN.quote_ready)
  expect(settle({ ...state, case: withoutQuote(state.case) }, 'submit').fired).toEqual([])
})

test('[B047] [A074] R3 does not fire once lenders were asked', () => {
  const asked = given(...CASE_IN.awaiting_counter_decision).case.waterfall
  const state = ready(() => (asked ? { waterfall: asked } : {}))
  expect(state.case.waterfall).toBeDefined()
  expect(settle(state, 'submit').fired).toEqual([])
})

test('no rule fires in a case that has ended', () => {
  const { state } = given(...upTo('presentConsent'), WITHDRAW)
  const consents = [{ type: 'credit_search', granted: true, capturedAt: '' }] as const
  expect(settle({ ...state, case: { ...state.case, consents } }, 'submit').fired).toEqual([])
})

test('a rule names the grant of the credit search as its cause, and no other record', () => {
  const causes = brokerRules.map((rule) =>
    given(...CASE_IN.quote_ready)
      .records.filter((record) => rule.causedBy?.(record))
      .map(({ type }) => type),
  )
  expect(causes).toEqual([['capture_consent'], ['capture_consent'], []])
  const data = { consentType: 'credit_search', granted: false }
  expect(brokerRules[0]?.causedBy?.({ type: 'capture_consent', data })).toBe(false)
})
