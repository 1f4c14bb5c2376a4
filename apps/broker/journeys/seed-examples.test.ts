import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel, textOf } from 'throughline'
import { openLog } from 'throughline/log'
import { Journey, acceptOffer, caseAfter, walk } from './journey.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

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
  const broker = await testBroker({ model: scriptedModel(() => text) })
  return { broker, journey: await Journey.start(broker) }
}

test('[A008] [A009] [A010] [A012] the worked example: prose is shown, its events change the case', async () => {
  const { journey } = await saying(EXAMPLE)
  const { reply, events, session } = await journey.turn('installer', { directEvents: KNOWN })
  expect(reply).toBe('Got it. Sending Sarah a link now.')
  expect(events).toMatchObject([
    { type: 'record_customer_contact', data: { mobile: '07700 900 123' } },
    { type: 'generate_customer_link', data: {} },
  ])
  expect(session).toMatchObject({
    case: { status: 'awaiting_customer', contact: { mobile: '07700 900 123' } },
    installerMessages: [{ role: 'assistant', text: 'Got it. Sending Sarah a link now.' }],
  })
})

test('[A011] [B015] a gap that the direct events leave is closed before the model is called', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker, 8)
  const types = (await recordsOf(broker.log, journey.sessionId)).map(({ type }) => type)
  const grant = types.indexOf('capture_consent')
  expect(types.slice(grant, grant + 3)).toEqual([
    'capture_consent',
    'acknowledge_disclosure',
    'present_disclosure',
  ])
  expect(types.indexOf('STEP_STARTED', grant)).toBeGreaterThan(grant + 2)
})

/** Returns the outcomes of the proposals of one type: accepted data, or the reason of a refusal. */
async function outcomesOf({ broker, journey }: Awaited<ReturnType<typeof saying>>, type: string) {
  const records = await recordsOf(broker.log, journey.sessionId)
  const refused = records.filter(({ type: of }) => of === 'event_refused').map(({ data }) => data)
  return {
    accepted: records.filter((record) => record.type === type).map(({ data }) => data),
    refused: refused.map((data) => ({
      type: textOf(data, 'type'),
      reason: textOf(data, 'reason'),
    })),
  }
}

test.each([
  ['record_project_facts', { projectValue: 17_500.5, depositPct: 10, more: 1 }, 'accepted'],
  ['record_customer_contact', { firstName: ' Sarah ', mobile: '+44 7700 900123' }, 'accepted'],
  ['record_customer_contact', { mobile: '020 7946 0000' }, 'refused'],
  ['record_project_facts', { projectValue: '17500' }, 'refused'],
  ['generate_customer_link', {}, 'refused'],
  ['no_such_event', { a: 1 }, 'refused'],
] as const)(
  '[A001] %s %j means the same as a direct event and as a tag',
  async (type, data, becomes) => {
    const told = await saying(`<agent-event type="${type}" data='${JSON.stringify(data)}' />`)
    await told.journey.say('installer', 'Here is what I know')
    const clicked = await saying('')
    await clicked.journey.turn('installer', { directEvents: [{ type, data }] })

    const asTag = await outcomesOf(told, type)
    expect(asTag[becomes]).toHaveLength(1)
    expect(asTag).toEqual(await outcomesOf(clicked, type))
  },
)

test('[A060] [A061] [B065] a turn of nothing but events changes the case and leaves no message', async () => {
  const { broker, journey } = await saying(
    `<agent-event type="record_customer_contact" data='{"firstName":"Sarah"}' />\n`,
  )
  const { reply, session } = await journey.turn('installer', { directEvents: KNOWN.slice(0, 1) })
  const again = await journey.say('installer', 'Anything else?')

  expect(reply).toBeNull()
  expect(session).toMatchObject({
    installerMessages: [],
    case: { contact: { firstName: 'Sarah' } },
  })
  expect(again.session['installerMessages']).toMatchObject([
    { role: 'user', text: 'Anything else?' },
  ])
  const records = await recordsOf(broker.log, journey.sessionId)
  const spoken = records.filter(
    ({ type, origin }) => type.startsWith('TEXT_MESSAGE') && origin.source === 'model',
  )
  expect(spoken).toEqual([])
})

test('[A077] [A078] [A080] an event that the model repeats is recorded again under its own UUID and changes nothing', async () => {
  const { broker, journey } = await saying(EXAMPLE)
  await journey.turn('installer', { directEvents: KNOWN })
  const before = await journey.state()
  const { reply } = await journey.say('installer', 'Again, please')

  expect(await journey.state()).toEqual({ ...before, updatedAt: expect.any(String) })
  expect(reply).toBe('Got it. Sending Sarah a link now.')
  const records = await recordsOf(broker.log, journey.sessionId)
  const links = records.filter(({ type }) => type === 'generate_customer_link')
  expect(links.map(({ origin }) => origin.source)).toEqual(['model', 'model'])
  expect(new Set(links.map(({ id }) => id)).size).toBe(2)
  for (const { id } of links) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('[B056] [B023] the journey is the same on the durable log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-'))
  const log = await openLog(`sqlite:${join(folder, 'throughline.db')}`)
  const broker = await testBroker({ log })
  const journey = await caseAfter(broker)
  await walk(journey)
  await acceptOffer(journey)
  expect(await journey.state()).toMatchObject({ caseOutcome: { kind: 'selected' } })
  expect(await log.verify(journey.sessionId)).toMatchObject({ ok: true })
  await broker.close()
  await log.close()
  await rm(folder, { recursive: true })
})
