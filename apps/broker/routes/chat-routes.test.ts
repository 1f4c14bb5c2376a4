import { expect, test } from 'vitest'
import type { ScriptedReply } from 'throughline'
import { scriptedModel } from 'throughline'
import { chat } from '../journeys/chat-door.fixture.ts'
import { HELD, heldReplies } from '../journeys/held-replies.fixture.ts'
import { Journey, caseAfter } from '../journeys/journey.fixture.ts'
import { request } from '../journeys/served-broker.fixture.ts'
import type { Setting } from '../journeys/served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from '../journeys/test-broker.fixture.ts'

const CONTACT = { firstName: 'Sarah', email: 'sarah@example.com' }
const KNOWN = [
  {
    type: 'record_project_facts',
    data: { projectValue: 9_000, depositPct: 0, productSpec: 'panels_only' },
  },
  { type: 'record_customer_contact', data: CONTACT },
]
const SHOWN = { type: 'present_disclosure', data: { id: 'service_status' } }
const tag = (type: string, data: object) =>
  `<agent-event type="${type}" data='${JSON.stringify(data)}' />`

/** A case at a step of its customer. */
const caseAt = async (step: number, setting: Setting = {}) =>
  caseAfter(await testBroker(setting), step)

const ELIGIBILITY = 2
const SUMMARY = 8

test('[B007] the worked example, as the installer’s chat answers it', async () => {
  const said = [
    'Got it. Sending Sarah a link now.',
    tag('record_customer_contact', { mobile: '07700 900 123' }),
    tag('generate_customer_link', {}),
    tag('capture_consent', { consentType: 'credit_search', granted: true }),
  ]
  const broker = await testBroker({ model: scriptedModel(() => said.join(' ')) })
  const journey = await Journey.start(broker)
  const { status, body } = await chat(journey, 'installer', { directEvents: KNOWN })
  expect(status).toBe(200)
  expect(body).toEqual({
    assistantMessage: said[0],
    events: [
      { type: 'record_customer_contact', data: { mobile: '07700 900 123' }, accepted: true },
      { type: 'generate_customer_link', data: {}, accepted: true },
      {
        type: 'capture_consent',
        data: { consentType: 'credit_search', granted: true },
        accepted: false,
        reason: 'not_authorised',
      },
    ],
    refused: [],
    case: expect.objectContaining({
      status: 'awaiting_customer',
      contact: { ...CONTACT, mobile: '07700 900 123' },
    }),
    installerMessages: [expect.objectContaining({ role: 'assistant', text: said[0] })],
    customerLink: expect.stringContaining('/customer/'),
    seed: expect.any(String),
  })
})

test('[A014] [A015] [B006] [B012] [B024] the eligibility example moves the case', async () => {
  const journey = await caseAt(ELIGIBILITY)
  const data = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
  const { status, body } = await chat(journey, 'customer', {
    seed: journey.seed,
    directEvents: [
      { type: 'record_eligibility', data },
      { type: 'no_such_event', data: {} },
    ],
    userMessage: null,
    isFirstTurn: null,
    demoScenario: null,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    refused: [{ type: 'no_such_event', reason: 'unknown_type' }],
    case: { status: 'quote_ready', eligibility: data },
  })
  expect(Object.keys(body).toSorted()).toEqual([
    'assistantMessage',
    'case',
    'customerMessages',
    'events',
    'refused',
    'seed',
  ])
})

test('[B058] the answer to the turn in which the lenders answered asks for the next turn', async () => {
  const journey = await caseAt(SUMMARY)
  const directEvents = [{ type: 'acknowledge_disclosure', data: { id: 'pre_contract_summary' } }]
  const { body } = await chat(journey, 'customer', { directEvents })
  expect(body).toMatchObject({ continueTurn: true, case: { status: 'selected' } })
  expect((await chat(journey, 'customer', {})).body).not.toHaveProperty('continueTurn')
})

test('[surfaces 7] a turn that was stopped is answered with the text up to there, also under its key again', async () => {
  const held = { on: false }
  const journey = await caseAt(0, { model: heldReplies(() => held.on) })
  const { log, url } = journey.broker
  const { sessionId, tokens } = journey
  held.on = true
  const after = await log.head(sessionId)
  const asked = () => chat(journey, 'customer', { key: 'k', userMessage: 'Is it a loan?' })
  const answered = asked()
  let run: string | undefined
  for await (const batch of log.subscribe(sessionId, { after })) {
    run = batch.find(({ type }) => type === 'TEXT_MESSAGE_CONTENT')?.origin.run ?? run
    if (batch.some(({ origin }) => origin.source === 'model') && run !== undefined) break
  }
  const cancel = `${url}/api/threads/${sessionId}/runs/${run}/cancel`
  await expect
    .poll(async () => (await request(cancel, { token: tokens.customer, body: {} })).status)
    .toBe(202)
  for (const { status, body } of [await answered, await asked()]) {
    expect([status, body['stopped'], body['assistantMessage']]).toEqual([200, true, HELD])
  }
})

test.each([
  ['an unknown member', { surprise: true }],
  ['a message that is too long', { userMessage: 'x'.repeat(4_001) }],
  ['too many events', { directEvents: Array.from({ length: 21 }, () => SHOWN) }],
  ['an event without a type', { directEvents: [{ data: {} }] }],
])('[X2] a body with %s is refused, and nothing happens', async (_, more) => {
  const journey = await caseAt(0)
  const head = await journey.broker.log.head(journey.sessionId)
  const { status, body } = await chat(journey, 'customer', more)
  expect([status, body['code'], body['error']]).toEqual([400, 'invalid_body', body['detail']])
  expect(await journey.broker.log.head(journey.sessionId)).toBe(head)
})

test('[B054] [B055] the request brings the seed of its case; one that has forked is left aside', async () => {
  const journey = await caseAt(ELIGIBILITY)
  const { seed, sessionId, tokens } = journey
  await journey.click(['withdraw', {}])
  const elsewhere = { broker: await testBroker(), sessionId, tokens }
  const there = await chat(elsewhere, 'customer', { seed, directEvents: [SHOWN] })
  expect([there.status, there.body['case']]).toMatchObject([200, { status: 'customer_active' }])
  const here = await chat(journey, 'customer', { seed: there.body['seed'] })
  expect([here.status, here.body['case']]).toMatchObject([200, { status: 'withdrawn' }])
})

test('[S2] one key is one turn with one answer, whatever seed comes with it; another body is refused', async () => {
  const journey = await caseAt(0)
  const turn = { key: 'one', userMessage: 'Are you a lender?', directEvents: [SHOWN] }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => chat(journey, 'customer', { ...turn, seed: `seed ${n}` })),
  )
  const said = answers.map(({ status, body }) => JSON.stringify({ ...body, seed: status }))
  expect(new Set(said).size).toBe(1)
  for (const other of [{ userMessage: 'No?' }, { directEvents: [] }, { isFirstTurn: true }]) {
    const { status, body } = await chat(journey, 'customer', { ...turn, ...other })
    expect([status, body['code']]).toEqual([422, 'key_reused'])
  }
  const records = await recordsOf(journey.broker.log, journey.sessionId)
  expect(records.filter(({ type }) => type === 'present_disclosure')).toHaveLength(1)
  // A key belongs to its side.
  const installer = await chat(journey, 'installer', { key: 'one', userMessage: 'Hello' })
  expect(installer.status).toBe(200)
})

test('[B060] [B068] a turn whose model failed is a problem with a seed, and runs again under its key', async () => {
  let reply: ScriptedReply = 'Hello.'
  const journey = await caseAt(0, { model: scriptedModel(() => reply) })
  reply = { fail: new Error('overloaded') }
  const asked = () => chat(journey, 'customer', { key: 'k', directEvents: [SHOWN] })
  expect(await asked()).toMatchObject({
    status: 502,
    body: {
      code: 'model_failed',
      error: expect.stringContaining('What you did is recorded'),
      reason: expect.any(String),
      debug: { historyLength: expect.any(Number), historyRoles: expect.any(Array) },
      seed: expect.any(String),
    },
  })
  reply = 'Welcome.'
  expect(await asked()).toMatchObject({ status: 200, body: { assistantMessage: 'Welcome.' } })
  const records = await recordsOf(journey.broker.log, journey.sessionId)
  expect(records.filter(({ type }) => type === 'present_disclosure')).toHaveLength(1)
})
