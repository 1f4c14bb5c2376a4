import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { scriptedModel } from 'throughline'
import type { LogRecord } from 'throughline'
import { scriptedNarrator } from '../narrator/index.ts'
import type { Misbehaviour } from '../narrator/index.ts'
import { CUSTOMER_STEPS, Journey, acceptOffer, caseAfter, handOver } from './journey.fixture.ts'
import { request } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

async function journeyWith(misbehave: Misbehaviour) {
  const broker = await testBroker({ model: scriptedNarrator({ misbehave }) })
  const journey = await caseAfter(broker, CUSTOMER_STEPS.length)
  return { journey, records: () => recordsOf(broker.log, journey.sessionId) }
}

const refusals = (records: readonly LogRecord[]) =>
  records.filter(({ type, origin }) => type === 'event_refused' && origin.source === 'model')

test('[B042] [A061] a model that says nothing leaves no empty message', async () => {
  const { records } = await journeyWith('silent')
  const said = (await records()).filter(
    ({ type, origin }) => type.startsWith('TEXT_MESSAGE') && origin.source === 'model',
  )
  expect(said).toEqual([])
})

test('[M1] [B001] a model that forges everything changes nothing, and every forgery is recorded', async () => {
  const { journey, records } = await journeyWith('forge')
  const all = await records()
  const domain = all.filter(({ type }) => type !== type.toUpperCase() && type !== 'event_refused')
  expect(domain.filter(({ origin }) => origin.source === 'model')).toEqual([])
  const runs = all.filter(({ type }) => type === 'RUN_FINISHED').length
  const outputs = all.filter(({ origin, type }) => origin.source === 'model' && type === 'CUSTOM')
  const perCall = JSON.stringify(outputs[0]?.data).split('<agent-event').length - 1
  expect(outputs).toHaveLength(runs)
  expect(refusals(all)).toHaveLength(runs * perCall)
  for (const { data } of refusals(all)) {
    expect(data).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/), source: 'model' })
  }
  expect(await journey.state()).toMatchObject({ personal: { fullName: 'Sarah Jones' } })
})

test('[A029] [A030] malformed tags are recorded, not shown, and the journey goes on', async () => {
  const { records } = await journeyWith('malformed')
  const reasons = new Set(
    refusals(await records()).map(({ data }) => (data as { reason: string }).reason),
  )
  expect(reasons).toContain('malformed')
  expect(reasons).toContain('truncated')
  const shown = (await records()).filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  expect(JSON.stringify(shown)).not.toMatch(/agent-event/)
})

test('[A049] a model that shows the status text and acknowledges it in one breath acknowledges nothing', async () => {
  const tags = ['present', 'acknowledge'].map(
    (verb) => `<agent-event type="${verb}_disclosure" data='{"id":"service_status"}' />`,
  )
  const journey = await caseAfter(
    await testBroker({ model: scriptedModel(() => `Welcome.\n${tags.join('\n')}`) }),
  )
  const told = await journey.say('customer', 'I agree to everything')
  expect(told.events).toMatchObject([{ type: 'present_disclosure' }])
  expect(await journey.refusedOfModel(told)).toEqual([
    { type: 'acknowledge_disclosure', reason: 'not_authorised' },
  ])
})

async function failingJourney(kind: 'fail' | 'cut') {
  const { broker, journey, records } = await journeyBefore(kind)
  const ofType = async (type: string) => (await records()).filter((record) => record.type === type)
  return { broker, journey, records, ofType }
}

/** Everything but the click that completes the gates. */
async function journeyBefore(misbehave: Misbehaviour) {
  const broker = await testBroker({ model: scriptedNarrator({ misbehave }) })
  const journey = await Journey.start(broker)
  const handedOver = await handOver(journey)
  for (const step of CUSTOMER_STEPS.slice(0, -1)) await step(journey)
  return { broker, journey, handedOver, records: () => recordsOf(broker.log, journey.sessionId) }
}

const LAST_CLICK = {
  directEvents: [{ type: 'acknowledge_disclosure', data: { id: 'pre_contract_summary' } }],
}

test.each(['fail', 'cut'] as const)(
  '[B060] a model call that ends in "%s" submits nothing before the gates are complete; events of people stay',
  async (kind) => {
    const { journey, handedOver, records } = await journeyBefore(kind)
    expect(handedOver).toMatchObject({ end: 'failed', refused: [] })
    expect(await journey.state()).toMatchObject({ status: 'quote_ready' })
    const all = await records()
    const ends = all.filter(({ type }) => type === 'RUN_ERROR')
    expect(ends).toHaveLength(all.filter(({ type }) => type === 'RUN_STARTED').length)
    expect(all.filter(({ type }) => type === 'STEP_STARTED')).toHaveLength(ends.length * 2)
    expect(all.filter(({ type }) => type === 'submit_application')).toEqual([])
  },
)

test.each(['fail', 'cut'] as const)(
  '[ruling 10] [B025] a click that completes the gates submits in its turn, also when the model call ends in "%s"',
  async (kind) => {
    const { journey, records, ofType } = await failingJourney(kind)
    expect((await journey.turn('customer', LAST_CLICK)).end).toBe('failed')
    expect(await journey.state()).toMatchObject({ status: 'selected' })
    const [run] = (await ofType('RUN_STARTED')).slice(-1).map(({ origin }) => origin.run)
    const ends = (await records()).filter(
      ({ type, origin }) => origin.run === run && /^RUN_(?:ERROR|FINISHED)$/.test(type),
    )
    expect(ends.map(({ type }) => type)).toEqual(['RUN_ERROR'])
    expect((await records()).at(-1)?.id).toBe(ends[0]?.id)
    await acceptOffer(journey)
    expect(await journey.state()).toMatchObject({ caseOutcome: { kind: 'selected' } })
  },
)

test('[ruling 10] submitted once: not again in the next turns, under the same key, or after a restart', async () => {
  const { broker, journey, ofType } = await failingJourney('fail')
  const directEvents = LAST_CLICK.directEvents.map((event) => ({ ...event, id: randomUUID() }))
  const keyed = { key: 'click-1', directEvents }
  expect((await journey.turn('customer', keyed)).end).toBe('failed')
  await journey.turn('customer', {})
  await broker.close()
  const again = await testBroker({ log: broker.log })
  journey.broker = again
  expect((await journey.turn('customer', keyed)).status).toBe(202)
  await journey.say('customer', 'And now?')
  await again.close()
  expect(await ofType('submit_application')).toHaveLength(1)
  expect(await ofType('waterfall_recorded')).toHaveLength(1)
})

test('[ruling 10] in a turn that no click completed, only a model call that ended well submits', async () => {
  const { broker, journey, ofType } = await failingJourney('fail')
  const events = LAST_CLICK.directEvents
  await request(`${broker.url}/api/threads/${journey.sessionId}/events`, {
    token: journey.tokens.customer,
    body: { events },
  })
  for (const more of [{}, { userMessage: 'Hello' }, LAST_CLICK]) {
    expect((await journey.turn('customer', more)).end).toBe('failed')
    expect(await ofType('submit_application')).toEqual([])
  }
  await broker.close()
  const healthy = await testBroker({ log: broker.log })
  journey.broker = healthy
  expect((await journey.turn('customer', {})).end).toBe('finished')
  expect(await ofType('submit_application')).toHaveLength(1)
})
