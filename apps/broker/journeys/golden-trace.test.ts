import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LogRecord } from 'throughline'
import { Journey, REFERENCE_SENTENCE, acceptOffer, traceOf, walk } from './journey.fixture.ts'
import { request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

let broker: ServedBroker
let journey: Journey
let records: readonly LogRecord[]

beforeAll(async () => {
  broker = await serveBroker()
  journey = await Journey.start(broker)
  await journey.say('installer', REFERENCE_SENTENCE)
  await walk(journey)
  await acceptOffer(journey)
  records = await recordsOf(broker.log, journey.sessionId)
})

afterAll(() => broker.close())

test('the clean journey leaves exactly its golden trace', () => {
  expect(traceOf(records)).toEqual([
    'Y case_created',
    'Mi record_project_facts',
    'Mi record_customer_contact',
    'Mi generate_customer_link',
    'Mi installer_handoff_complete',
    'Mc present_disclosure(service_status)',
    'U acknowledge_disclosure(service_status)',
    'U record_eligibility',
    'U record_provisional_quote',
    'U record_email_preference',
    'U record_personal_facts',
    'U record_financial_facts',
    'U record_vulnerability_indicators',
    'Mc present_disclosure(credit_search_consent)',
    'U capture_consent',
    'R1 acknowledge_disclosure(credit_search_consent)',
    'R2 present_disclosure(pre_contract_summary)',
    'U acknowledge_disclosure(pre_contract_summary)',
    'R3 submit_application',
    'Y effect_requested',
    'Y waterfall_recorded',
    'U select_offer',
    'Mc case_complete',
  ])
})

test('the case holds the recorded facts and the computed amounts, to the penny', async () => {
  expect(await journey.state()).toMatchObject({
    status: 'complete',
    project: {
      projectValue: 17_500,
      depositAmount: 1_750,
      depositPct: 10,
      netLoanAmount: 15_750,
      productSpec: 'panels_battery',
    },
    contact: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
    provisionalQuote: { indicativeAprPct: 9.15, termMonths: 120, monthlyPayment: 197.71 },
    caseOutcome: { kind: 'selected' },
    waterfall: { exhausted: false, awaitingCounterDecision: false },
  })
})

test('R1 names the click that caused it', () => {
  const grant = records.find(({ type }) => type === 'capture_consent')
  const derived = records.filter(({ origin }) => origin.rule === 'R1' || origin.rule === 'R2')
  expect(derived.map(({ origin }) => origin.cause)).toEqual([grant?.id, grant?.id])
})

test('[E005] [E009] [E039] every turn lies between a RUN_STARTED and exactly one terminal record', () => {
  const runs = records.filter(({ type }) => type === 'RUN_STARTED')
  expect(runs.length).toBe(12)
  for (const { id: run, seq } of runs) {
    const ends = records.filter(
      ({ type, origin }) => origin.run === run && ['RUN_FINISHED', 'RUN_ERROR'].includes(type),
    )
    expect(ends).toHaveLength(1)
    const inside = records.filter(({ origin }) => origin.run === run)
    expect(inside[0]?.seq).toBe(seq)
    expect(inside.at(-1)?.type).toBe('RUN_FINISHED')
  }
})

test('[A005] [A035] no part of a tag was ever shown', () => {
  const shown = records.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  expect(shown.length).toBeGreaterThan(10)
  expect(JSON.stringify(shown)).not.toMatch(/agent-event/)
})

test('the chain of the whole journey verifies, and the state is the fold of it', async () => {
  expect(await broker.log.verify(journey.sessionId)).toMatchObject({
    ok: true,
    head: records.length - 1,
    unanchored: 0,
  })
  const url = `${broker.url}/api/threads/${journey.sessionId}/state`
  const token = journey.tokens.auditor
  const now = await request(url, { token })
  const folded = await request(`${url}?at=${records.length - 1}`, { token })
  expect(folded.body).toEqual(now.body)
})

test('[B010] the audit lists the journey’s steps and finds no anomaly', async () => {
  const url = `${broker.url}/api/audit/${journey.sessionId}`
  const { body } = await request(url, { token: journey.tokens.auditor })
  expect(body['compliance']).toMatchObject({
    disclosuresPresentedCount: 3,
    allDisclosuresAcknowledged: true,
    explicitConsents: true,
    vulnerabilityProbed: true,
    waterfallSteps: 1,
    finalOutcome: 'selected',
  })
  const kinds = (body['timeline'] as unknown as { kind: string }[]).map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['rule_fired', 'waterfall_step', 'submission']))
})

test('[B011] the replay finds that the model would present every disclosure again', async () => {
  const url = `${broker.url}/api/audit/${journey.sessionId}/replay`
  const token = journey.tokens.auditor
  const { body } = await request(url, { token, body: { n: 2 } })
  expect(body).toMatchObject({ totalRuns: 6, overallPassRate: expect.any(Number) })
  expect(Number(body['overallPassRate'])).toBeGreaterThanOrEqual(0.95)
  expect((await recordsOf(broker.log, journey.sessionId)).length).toBe(records.length)
})
