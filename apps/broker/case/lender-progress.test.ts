import { expect, test } from 'vitest'
import { brokerDisclosures, disclosureRegistry } from '../disclosures/index.ts'
import { builtInPanel } from '../lenders/index.ts'
import { brokerDomain } from './broker-domain.ts'
import type { BrokerState } from './case-domain.ts'
import { caseView } from './case-view.ts'
import { given } from './given-case.fixture.ts'
import { JOURNEY, OFFER, RECORDED, REFUSE, WITHDRAW, upTo } from './journey.fixture.ts'
import type { Act } from './given-case.fixture.ts'
import type { WaterfallStep } from './state.ts'

const LENDERS = ['One', 'Two', 'Three']
const SENT_AT = '2026-11-20T10:00:16.000Z'

/** The case after these acts, as if its submission had named three lenders. */
function sent(...acts: readonly Act[]): BrokerState {
  const { state } = given(...upTo('submit'), ...acts)
  return { ...state, submission: { submittedAt: SENT_AT, lenders: LENDERS } }
}

const progress = (...acts: readonly Act[]) => caseView(sent(...acts), 'customer').lenders

const step = (lender: string, kind: 'declined' | 'counter'): WaterfallStep => ({
  lender,
  position: 'Prime Priority 1',
  askedAt: '2026-11-20T10:00:17.000Z',
  outcome:
    kind === 'declined'
      ? { kind, reason: 'NO' }
      : { kind: 'approved_with_counter', offer: OFFER, reason: 'HIGHER_APR' },
})

function recorded(act: Act, ...steps: readonly WaterfallStep[]): Act {
  const { result } = act.data as { readonly result: object }
  return { ...act, data: { result: { ...result, steps } } }
}

const ONE_DECLINED = recorded(RECORDED.unsettled, step('One', 'declined'))
const ANSWERED_BY_ONE = {
  lender: 'One',
  status: 'answered',
  answer: 'declined',
  askedAt: '2026-11-20T10:00:17.000Z',
  answeredAt: expect.any(String),
}

test('the first lender is asked when the application is sent, the others are next', () => {
  expect(progress()).toEqual([
    { lender: 'One', status: 'asking', askedAt: SENT_AT },
    { lender: 'Two', status: 'next' },
    { lender: 'Three', status: 'next' },
  ])
})

test('once a lender has answered, the next one is asked', () => {
  const [first, second, third] = progress(ONE_DECLINED) ?? []
  expect(first).toEqual(ANSWERED_BY_ONE)
  const answeredAt = first?.status === 'answered' ? first.answeredAt : ''
  expect(second).toEqual({ lender: 'Two', status: 'asking', askedAt: answeredAt })
  expect(third).toEqual({ lender: 'Three', status: 'next' })
})

const TWO_COUNTERED = recorded(RECORDED.counter, step('One', 'declined'), step('Two', 'counter'))

test('a counter-offer waits for the customer: the next lender is asked once it is refused', () => {
  const statuses = (...acts: readonly Act[]) => progress(...acts)?.map(({ status }) => status)
  expect(statuses(TWO_COUNTERED)).toEqual(['answered', 'answered', 'next'])
  expect(statuses(TWO_COUNTERED, REFUSE)).toEqual(['answered', 'answered', 'asking'])
})

test('a lender whose turn does not come is not asked', () => {
  const statuses = (...acts: readonly Act[]) => progress(...acts)?.map(({ status }) => status)
  expect(statuses(recorded(RECORDED.approved, step('One', 'counter')))).toEqual([
    'answered',
    'not_asked',
    'not_asked',
  ])
  expect(statuses(ONE_DECLINED, WITHDRAW)).toEqual(['answered', 'not_asked', 'not_asked'])
})

test('[E11] the progress holds no reason of a lender', () => {
  expect(JSON.stringify(progress(TWO_COUNTERED))).not.toMatch(/reason|NO|HIGHER_APR/)
})

test('a submission records the lenders of the panel in their order; older logs name none', () => {
  const lenders = builtInPanel.lenders.map(({ lender }) => lender)
  const disclosures = disclosureRegistry(brokerDisclosures(builtInPanel.lenders), (text) => text)
  const { events } = brokerDomain({ disclosures, lenders })
  const submit = events.get('submit_application')
  const ready = given(...upTo('confirmSummary')).state
  const origin = { source: 'rule', rule: 'R3', depth: 0 } as const
  const fact = { id: 'f', ts: Date.parse(SENT_AT), origin }
  const named = submit?.reduce(ready, { lenders }, fact)
  expect(named?.submission).toEqual({ submittedAt: SENT_AT, lenders })
  expect(given(...upTo('confirmSummary'), JOURNEY.submit).state).not.toHaveProperty('submission')
})
