import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from 'throughline/agents'
import { openLog } from 'throughline/storage'
import { CUSTOMER_STEPS, Journey, acceptOffer, handOver, walk } from './journey.fixture.ts'
import { recordsOf, request, serveBroker } from './served-broker.fixture.ts'

const EXAMPLE =
  `Got it. Sending Sarah a link now. <agent-event type="record_customer_contact" ` +
  `data='{"mobile":"07700 900 123"}' /> <agent-event type="generate_customer_link" data='{}' />`

const KNOWN = [
  {
    type: 'record_project_facts',
    data: { projectValue: 9_000, depositPct: 0, productSpec: 'panels_only' },
  },
  { type: 'record_customer_contact', data: { firstName: 'Sarah', email: 'sarah@example.com' } },
]

async function saying(text: string) {
  const broker = await serveBroker({ model: scriptedModel(() => text) })
  return { broker, journey: await Journey.start(broker) }
}

test('[A008] [A009] [A010] [A012] [B007] the worked example: prose is shown, its events change the case', async () => {
  const { broker, journey } = await saying(EXAMPLE)
  const { body } = await journey.turn('installer', { directEvents: KNOWN })
  expect(body).toMatchObject({
    assistantMessage: 'Got it. Sending Sarah a link now.',
    events: [
      { type: 'record_customer_contact', data: { mobile: '07700 900 123' }, accepted: true },
      { type: 'generate_customer_link', data: {}, accepted: true },
    ],
    case: { status: 'awaiting_customer', contact: { mobile: '07700 900 123' } },
    installerMessages: [{ role: 'assistant', text: 'Got it. Sending Sarah a link now.' }],
    customerLink: expect.stringContaining('/customer/'),
  })
  await broker.close()
})

test('[A011] [B015] a gap that the direct events leave is closed before the model is called', async () => {
  const broker = await serveBroker()
  const journey = await Journey.start(broker)
  await handOver(journey)
  for (const step of CUSTOMER_STEPS.slice(0, 8)) await step(journey)
  const types = (await recordsOf(broker.log, journey.sessionId)).map(({ type }) => type)
  const grant = types.indexOf('capture_consent')
  expect(types.slice(grant, grant + 3)).toEqual([
    'capture_consent',
    'acknowledge_disclosure',
    'present_disclosure',
  ])
  expect(types.indexOf('STEP_STARTED', grant)).toBeGreaterThan(grant + 2)
  await broker.close()
})

test('[A014] [A015] [B006] [B012] [B024] the eligibility example moves the case', async () => {
  const broker = await serveBroker()
  const journey = await Journey.start(broker)
  await handOver(journey)
  for (const step of CUSTOMER_STEPS.slice(0, 2)) await step(journey)
  const data = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
  const { status, body } = await request(`${broker.url}/api/chat/customer`, {
    token: journey.tokens.customer,
    body: {
      sessionId: journey.sessionId,
      seed: journey.seed,
      directEvents: [{ type: 'record_eligibility', data }],
    },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ refused: [], case: { status: 'quote_ready', eligibility: data } })
  expect(Object.keys(body)).toEqual(
    expect.arrayContaining(['case', 'assistantMessage', 'events', 'customerMessages', 'seed']),
  )
  await broker.close()
})

test('[A001] a payload means the same as a direct event and as a tag', async () => {
  const data = { projectValue: 17_500.5, depositPct: 10, productSpec: 'panels_battery', more: 1 }
  const tag = `<agent-event type="record_project_facts" data='${JSON.stringify(data)}' />`
  const told = await saying(tag)
  await told.journey.say('installer', 'Here is what I know')
  const clicked = await saying('')
  const directEvents = [{ type: 'record_project_facts', data }]
  await clicked.journey.turn('installer', { directEvents })
  const stored = async ({ broker, journey }: typeof told) => {
    const records = await recordsOf(broker.log, journey.sessionId)
    return records.find(({ type }) => type === 'record_project_facts')?.data
  }
  expect(await stored(told)).toBeDefined()
  expect(await stored(told)).toEqual(await stored(clicked))
  await Promise.all([told.broker.close(), clicked.broker.close()])
})

test('[A077] [A078] an event that the model repeats has a UUID of its own and changes nothing', async () => {
  const { broker, journey } = await saying(EXAMPLE)
  await journey.turn('installer', { directEvents: KNOWN })
  const before = await journey.state()
  const { body } = await journey.say('installer', 'Again, please')
  expect(await journey.state()).toEqual({ ...before, updatedAt: expect.any(String) })
  expect(body['assistantMessage']).toBe('Got it. Sending Sarah a link now.')
  const ids = (await recordsOf(broker.log, journey.sessionId)).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  await broker.close()
})

test('[B056] [B023] the journey is the same on the durable log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-'))
  const log = await openLog(`sqlite:${join(folder, 'throughline.db')}`)
  const broker = await serveBroker({ log })
  const journey = await Journey.start(broker)
  await handOver(journey)
  await walk(journey)
  await acceptOffer(journey)
  expect(await journey.state()).toMatchObject({ caseOutcome: { kind: 'selected' } })
  expect(await log.verify(journey.sessionId)).toMatchObject({ ok: true })
  await broker.close()
  await log.close()
  await rm(folder, { recursive: true })
})

test('[B008] a warm server answers with what it holds when it is given a seed', async () => {
  const broker = await serveBroker()
  const journey = await Journey.start(broker)
  await handOver(journey)
  const url = `${broker.url}/api/session/${journey.sessionId}/seed`
  const { status, body } = await request(url, {
    token: journey.tokens.installer,
    body: { seed: journey.seed },
  })
  expect([status, body['hydrated']]).toEqual([200, false])
  await broker.close()
})
