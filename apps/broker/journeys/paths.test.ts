import { afterAll, beforeAll, expect, test } from 'vitest'
import { scriptedNarrator } from '../narrator/index.ts'
import type { Misbehaviour } from '../narrator/index.ts'
import {
  CUSTOMER_STEPS,
  Journey,
  REFERENCE_SENTENCE,
  acceptOffer,
  caseAfter,
  traceOf,
  walk,
} from './journey.fixture.ts'
import { revealingAuditor } from './revealing-auditor.fixture.ts'
import { request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

let broker: ServedBroker
beforeAll(async () => {
  broker = await serveBroker()
})
afterAll(() => broker.close())

/** A customer's journey up to before a step. */
async function journeyTo(step: number, scenario = 'clean', on = broker): Promise<Journey> {
  const journey = await caseAfter(on, step, scenario)
  return journey
}

async function traced({ sessionId, broker: { log } }: Journey): Promise<readonly string[]> {
  return traceOf(await recordsOf(log, sessionId))
}

const ELIGIBILITY = 2
const VULNERABILITY = 6
const CONSENT = 7
const SUMMARY = 8
const YES = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }

const HANDED_OVER = [
  'Y case_created',
  'U record_project_facts',
  'U record_customer_contact',
  'U generate_customer_link',
  'U installer_handoff_complete',
]
const TO_ELIGIBILITY = [
  ...HANDED_OVER,
  'Mc present_disclosure(service_status)',
  'U acknowledge_disclosure(service_status)',
]
const TO_VULNERABILITY = [
  ...TO_ELIGIBILITY,
  'U record_eligibility',
  'U record_provisional_quote',
  'U record_email_preference',
  'U record_personal_facts',
  'U record_financial_facts',
]
const TO_CONSENT = [
  ...TO_VULNERABILITY,
  'U record_vulnerability_indicators',
  'Mc present_disclosure(credit_search_consent)',
]
const GRANT = [
  'U capture_consent',
  'R1 acknowledge_disclosure(credit_search_consent)',
  'R2 present_disclosure(pre_contract_summary)',
]
const TO_SUMMARY = [...TO_CONSENT, ...GRANT]
const ASKED = ['Y effect_requested', 'Y waterfall_recorded']
const SUBMITTED = [
  'U acknowledge_disclosure(pre_contract_summary)',
  'R3 submit_application',
  ...ASKED,
]
const TO_ANSWER = [...TO_SUMMARY, ...SUBMITTED]
const TO_SECOND_ANSWER = [...TO_ANSWER, ...ASKED]

test('[B064] [A052] [A075] path, counter-offer accepted, once', async () => {
  const journey = await journeyTo(9, 'counter')
  await journey.click(['accept_counter_offer', {}])
  expect(await traced(journey)).toEqual([
    ...TO_SECOND_ANSWER,
    'U accept_counter_offer',
    'Mc case_complete',
  ])
  expect(await journey.state()).toMatchObject({
    caseOutcome: { kind: 'selected' },
    waterfall: {
      acceptedOffer: { lender: 'Meridian Bank', netLoanAmount: 15_750 },
      steps: [{ outcome: { kind: 'declined' } }, { outcome: { kind: 'approved_with_counter' } }],
    },
  })
  const before = await journey.state()
  await journey.click(['accept_counter_offer', {}])
  expect(await journey.state()).toEqual({ ...before, updatedAt: expect.any(String) })
})

test('[B064] [A053] [A076] path, counter-offer refused: the next lender is asked, and the end is declined with signposting', async () => {
  const journey = await journeyTo(9, 'counter')
  const { reply } = await journey.click(['refuse_counter_offer', {}])
  expect(await traced(journey)).toEqual([...TO_SECOND_ANSWER, 'U refuse_counter_offer', ...ASKED])
  expect(await journey.state()).toMatchObject({
    status: 'declined',
    caseOutcome: { kind: 'declined' },
    waterfall: { exhausted: true, steps: [{}, {}, { lender: 'Steadfast Finance' }] },
  })
  const keys = (await recordsOf(broker.log, journey.sessionId))
    .filter(({ type }) => type === 'effect_requested')
    .map(({ data }) => (data as { key: string }).key)
  expect(keys).toEqual([0, 1, 2].map((lender) => `${journey.sessionId}:waterfall:${lender}`))
  expect(reply).toMatch(/You said no to the offer that there was/)
  await signposted()
})

test('path, declined by every lender, with signposting', async () => {
  const journey = await journeyTo(9, 'decline')
  expect(await traced(journey)).toEqual([...TO_SECOND_ANSWER, ...ASKED])
  expect(await journey.state()).toMatchObject({
    status: 'declined',
    caseOutcome: { kind: 'declined' },
    waterfall: { exhausted: true, steps: [{}, {}, {}] },
  })
  const told = await journey.turn('customer', {})
  expect(told.reply).toMatch(/free help with money/)
  expect(JSON.stringify(told.session['case'])).not.toMatch(/"reason"/)
  await signposted()
})

/** The free help that every declined case is shown. */
async function signposted(): Promise<void> {
  const { body } = await request(`${broker.url}/api/disclosures/decline_signposting`)
  expect(body['body']).toMatch(/StepChange[^]*MoneyHelper[^]*Citizens Advice/)
  expect(body['responseExpectation']).toBe('none')
}

test.each(Object.keys(YES))(
  '[A042] path, ineligible: %s is answered with no',
  async (criterion) => {
    const journey = await journeyTo(ELIGIBILITY)
    const { reply } = await journey.click(['record_eligibility', { ...YES, [criterion]: false }])
    expect(await traced(journey)).toEqual([...TO_ELIGIBILITY, 'U record_eligibility'])
    expect(await journey.state()).toMatchObject({
      status: 'ineligible',
      caseOutcome: { kind: 'ineligible', reason: criterion },
    })
    expect(reply).toMatch(/not a credit decision, and no credit search was made/)
    const more = await journey.click(['record_financial_facts', { annualIncome: 1 }])
    expect(more.refused).toEqual([{ type: 'record_financial_facts', reason: 'locked' }])
  },
)

test('[A050] [A070] path, consent refused and then granted: the latest counts', async () => {
  const journey = await journeyTo(CONSENT)
  const refusal = { consentType: 'credit_search', granted: false }
  const { reply } = await journey.click(['capture_consent', refusal])
  expect(reply).toMatch(/refused the credit search/)
  expect(await traced(journey)).toEqual([...TO_CONSENT, 'U capture_consent'])
  expect(await journey.state()).toMatchObject({
    status: 'quote_ready',
    consents: [{ granted: false }],
  })
  for (const step of CUSTOMER_STEPS.slice(CONSENT)) await step(journey)
  expect(await traced(journey)).toEqual([
    ...TO_CONSENT,
    'U capture_consent',
    ...GRANT,
    ...SUBMITTED,
  ])
  expect(await journey.state()).toMatchObject({ status: 'selected', consents: [{ granted: true }] })
})

test('path, amend: asked for by chat, the form is sent again and the summary still waits', async () => {
  const journey = await journeyTo(SUMMARY)
  const asked = await journey.say('customer', 'I need to correct my income')
  expect(asked.reply).toMatch(/Change something under the summary/)
  expect([asked.events, await journey.refusedOfModel(asked)]).toEqual([[], []])
  await journey.click(['record_financial_facts', { annualIncome: 18_500, monthlyOutgoings: 700 }])
  expect(await traced(journey)).toEqual([...TO_SUMMARY, 'U record_financial_facts'])
  expect(await journey.state()).toMatchObject({
    status: 'quote_ready',
    financial: { annualIncome: 18_500, employmentStatus: 'Employed' },
    disclosures: [{}, {}, { id: 'pre_contract_summary' }],
  })
  await CUSTOMER_STEPS[SUMMARY]?.(journey)
  expect((await traced(journey)).slice(-SUBMITTED.length)).toEqual(SUBMITTED)
  const late = await journey.click(['record_financial_facts', { annualIncome: 99_000 }])
  expect(late.refused).toEqual([{ type: 'record_financial_facts', reason: 'precondition' }])
})

test('path, amend: lenders get the amended facts', async () => {
  const journey = await journeyTo(SUMMARY, 'auto')
  await journey.click(['record_financial_facts', { annualIncome: 18_500, monthlyOutgoings: 700 }])
  await CUSTOMER_STEPS[SUMMARY]?.(journey)
  expect(await journey.state()).toMatchObject({
    status: 'awaiting_counter_decision',
    waterfall: {
      steps: [
        { outcome: { kind: 'declined', reason: 'INCOME_BELOW_MINIMUM' } },
        { outcome: { kind: 'approved_with_counter', offer: { monthlyPayment: 210.76 } } },
      ],
    },
  })
})

const GATES = [
  'service status',
  'eligibility',
  'quote',
  'email',
  'details',
  'vulnerability',
  'consent',
  'summary',
]
const LEAVES = [
  ...GATES.map((gate, at) => ({ gate, steps: at + 1, scenario: 'clean', asked: false })),
  { gate: 'offer', steps: 9, scenario: 'clean', asked: true },
  { gate: 'counter-offer', steps: 9, scenario: 'counter', asked: true },
]

test.each(LEAVES)(
  '[A055] [B036] path, withdrawal at the gate $gate: nothing more happens',
  async ({ steps, scenario, asked }) => {
    const journey = await journeyTo(steps, scenario)
    const before = await traced(journey)
    const { reply } = await journey.click(['withdraw', { reason: 'not now' }])
    expect(await traced(journey)).toEqual([...before, 'U withdraw'])
    expect(await journey.state()).toMatchObject({
      status: 'withdrawn',
      caseOutcome: { kind: 'withdrawn', reason: 'not now' },
    })
    const sent = /No lender has received it/
    if (asked) expect(reply).not.toMatch(sent)
    else expect(reply).toMatch(sent)
    const again = await journey.click(
      ['withdraw', {}],
      ['record_financial_facts', { annualIncome: 1 }],
    )
    expect(again.refused.map(({ reason }) => reason)).toEqual(['locked', 'locked'])
  },
)

test('path, vulnerability declared: acknowledged, never told on, and no part of the decision', async () => {
  const journey = await journeyTo(VULNERABILITY, 'auto')
  const indicators = ['recent_life_event', 'financial_difficulty']
  const data = { indicators, note: 'NOTE-CANARY' }
  const { reply } = await journey.click(['record_vulnerability_indicators', data])
  expect(reply).toMatch(/does not affect any decision/)
  for (const step of CUSTOMER_STEPS.slice(CONSENT)) await step(journey)
  expect(await traced(journey)).toEqual(TO_ANSWER)
  const plain = await journeyTo(9, 'auto')
  const decided = async (of: Journey) => ({ ...((await of.state())['waterfall'] as object) })
  const terms = ({ steps }: { steps?: unknown }) =>
    JSON.stringify(steps).replaceAll(/"(?:id|askedAt|answeredAt)":"[^"]*",?/g, '')
  expect(terms(await decided(journey))).toBe(terms(await decided(plain)))
  const told = (await recordsOf(broker.log, journey.sessionId)).filter(
    ({ type }) => type !== 'record_vulnerability_indicators',
  )
  expect(JSON.stringify(told)).not.toMatch(/CANARY|recent_life_event|financial_difficulty/)
  const file = `/api/audit/${journey.sessionId}`
  const audit = await request(`${broker.url}${file}`, { token: journey.tokens.auditor })
  const asked = { vulnerabilityProbed: true }
  expect(audit.body['compliance']).toMatchObject({ ...asked, vulnerabilityIndicatorsCount: null })
  const { read } = await revealingAuditor(journey)
  const { compliance } = (await read(file)).body
  expect(compliance).toMatchObject({ ...asked, vulnerabilityIndicatorsCount: 2 })
})

const MODELS: readonly (readonly [string, Misbehaviour])[] = [
  ['a silent model', 'silent'],
  ['a model that restarts at step one', 'restart'],
  ['a model whose turns are events only', 'events_only'],
  ['a model that forges', 'forge'],
  ['a model whose tags are malformed', 'malformed'],
]

test.each(MODELS)(
  '[B025] [B039] [B040] [B041] [B042] [B043] path, %s: the same case by the page’s cards alone',
  async (_, misbehave) => {
    const unruly = await testBroker({ model: scriptedNarrator({ misbehave }) })
    const journey = await journeyTo(9, 'clean', unruly)
    await acceptOffer(journey)
    if (misbehave !== 'events_only') await journey.click(['case_complete', {}])
    const byAnyone = (trace: readonly string[]) =>
      trace
        // To repeat the outcome that a case has is allowed, and changes nothing.
        .filter((line) => !/ (?:event_refused|case_outcome)$/.test(line))
        .map((line) => line.replace(/^(?:U|Mc) (?=present_disclosure|case_complete)/, ''))
    expect(byAnyone(await traced(journey))).toEqual(
      byAnyone([...TO_ANSWER, 'U select_offer', 'U case_complete']),
    )
    expect(await journey.state()).toMatchObject({
      status: 'complete',
      caseOutcome: { kind: 'selected' },
    })
  },
)

test('[A060] path, events-only turns: a person who only clicks, told by a model that only talks', async () => {
  const journey = await Journey.start(broker)
  await journey.say('installer', REFERENCE_SENTENCE)
  await walk(journey)
  const typed = (await recordsOf(broker.log, journey.sessionId)).filter(
    ({ type, origin }) =>
      type === 'TEXT_MESSAGE_START' && origin.source === 'ui' && origin.surface === 'customer',
  )
  expect(typed).toEqual([])
  expect(await journey.state()).toMatchObject({ status: 'selected' })
})
