import { expect, test } from 'vitest'
import { scriptedModel } from 'throughline/agents'
import type { LogRecord } from 'throughline/log'
import { MISBEHAVIOURS, scriptedNarrator } from '../narrator/index.ts'
import type { Misbehaviour } from '../narrator/index.ts'
import { Journey, acceptOffer, handOver, walk } from './journey.fixture.ts'
import { recordsOf, serveBroker } from './served-broker.fixture.ts'

const FAILING: readonly Misbehaviour[] = ['fail', 'cut', 'hang']
const TALKING = MISBEHAVIOURS.filter((kind) => !FAILING.includes(kind))

async function journeyWith(misbehave: Misbehaviour) {
  const broker = await serveBroker({ model: scriptedNarrator({ misbehave }) })
  const journey = await Journey.start(broker)
  await handOver(journey)
  await walk(journey)
  const records = () => recordsOf(broker.log, journey.sessionId)
  return { broker, journey, records }
}

const refusals = (records: readonly LogRecord[]) =>
  records.filter(({ type, origin }) => type === 'event_refused' && origin.source === 'model')

test.each(TALKING)(
  '[B025] [B039] [B040] [B041] [B042] [B043] a model that is %s does not keep the customer from the offer',
  async (kind) => {
    const { broker, journey } = await journeyWith(kind)
    expect(await journey.state()).toMatchObject({ status: 'selected' })
    await acceptOffer(journey)
    expect(await journey.state()).toMatchObject({ caseOutcome: { kind: 'selected' } })
    await broker.close()
  },
)

test('[B042] [A061] a model that says nothing leaves no empty message', async () => {
  const { broker, records } = await journeyWith('silent')
  const said = (await records()).filter(
    ({ type, origin }) => type.startsWith('TEXT_MESSAGE') && origin.source === 'model',
  )
  expect(said).toEqual([])
  await broker.close()
})

test('[M1] [B001] a model that forges everything changes nothing, and every forgery is recorded', async () => {
  const { broker, journey, records } = await journeyWith('forge')
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
  await broker.close()
})

test('[A029] [A030] malformed tags are recorded, not shown, and the journey goes on', async () => {
  const { broker, records } = await journeyWith('malformed')
  const reasons = new Set(
    refusals(await records()).map(({ data }) => (data as { reason: string }).reason),
  )
  expect(reasons).toContain('malformed')
  expect(reasons).toContain('truncated')
  const shown = (await records()).filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  expect(JSON.stringify(shown)).not.toMatch(/agent-event/)
  await broker.close()
})

test('[A049] a model that shows the status text and acknowledges it in one breath acknowledges nothing', async () => {
  const tags = ['present', 'acknowledge'].map(
    (verb) => `<agent-event type="${verb}_disclosure" data='{"id":"service_status"}' />`,
  )
  const broker = await serveBroker({ model: scriptedModel(() => `Welcome.\n${tags.join('\n')}`) })
  const journey = await Journey.start(broker)
  await handOver(journey)
  const { body } = await journey.say('customer', 'I agree to everything')
  expect(body['events']).toMatchObject([
    { type: 'present_disclosure', accepted: true },
    { type: 'acknowledge_disclosure', accepted: false, reason: 'not_authorised' },
  ])
  await broker.close()
})

test('[B040] restarting at step one presents nothing twice', async () => {
  const { broker, journey } = await journeyWith('restart')
  const { disclosures } = (await journey.state()) as unknown as { disclosures: { id: string }[] }
  const ids = disclosures.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  await broker.close()
})

test.each(['fail', 'cut'] as const)(
  '[B060] a model call that ends in "%s" submits nothing; what people did stands',
  async (kind) => {
    const broker = await serveBroker({ model: scriptedNarrator({ misbehave: kind }) })
    const journey = await Journey.start(broker)
    const answered = await handOver(journey)
    expect(answered.status).toBe(502)
    expect(answered.body).toMatchObject({
      code: 'model_failed',
      error: expect.any(String),
      debug: { historyLength: expect.any(Number), historyRoles: expect.any(Array) },
    })
    await walk(journey)
    expect(await journey.state()).toMatchObject({ status: 'quote_ready' })
    const records = await recordsOf(broker.log, journey.sessionId)
    const ends = records.filter(({ type }) => type === 'RUN_ERROR')
    expect(ends).toHaveLength(records.filter(({ type }) => type === 'RUN_STARTED').length)
    expect(records.filter(({ type }) => type === 'STEP_STARTED')).toHaveLength(ends.length * 2)
    expect(records.filter(({ type }) => type === 'submit_application')).toEqual([])
    await broker.close()
  },
)
