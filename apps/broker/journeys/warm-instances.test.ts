import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { scriptedModel } from 'throughline'
import type { Json } from 'throughline'
import { openLog } from 'throughline/log'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { chat } from './chat-door.fixture.ts'
import {
  CUSTOMER_STEPS,
  Journey,
  acceptOffer,
  caseAfter,
  handOver,
  offerSeed,
} from './journey.fixture.ts'
import { request } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

const sessionUrl = ({ broker, sessionId }: Journey) => `${broker.url}/api/session/${sessionId}`

async function messagesOf(journey: Journey): Promise<readonly string[]> {
  const { body } = await request(sessionUrl(journey), { token: journey.tokens.auditor })
  const messages = [body['installerMessages'], body['customerMessages']].flat()
  return messages.map((message) => JSON.stringify((message as { id: string }).id))
}

async function hydrationsIn({ log }: ServedBroker, { sessionId }: Journey) {
  const records = await recordsOf(log, sessionId)
  return records.filter(({ type }) => type === 'case_hydrated').length
}

/** The records that say that a seed of this case has forked. */
async function forksIn({ log }: ServedBroker, { sessionId }: Journey) {
  const records = await recordsOf(log, sessionId)
  return records.filter(
    ({ type, data }) => type === 'event_refused' && JSON.stringify(data).includes('case_hydrated'),
  )
}

/** Without what differs between any two cases. */
const timeless = (value: Json): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
      .replaceAll(/offer:[\da-f-]+/g, 'an offer')
      .replaceAll(/"record":"[\da-f-]+"/g, '"record":"its id"'),
  )

test.each([2, 3])(
  '[B067] [B051] [B054] a case that wanders over %i warm instances keeps every click and message, once',
  async (count) => {
    const stationary = await testBroker()
    const brokers = await Promise.all(Array.from({ length: count }, () => testBroker()))
    const stays = await Journey.start(stationary)
    const wanders = await Journey.start(brokers[0] ?? stationary)
    const steps = [handOver, ...CUSTOMER_STEPS, acceptOffer]
    for (const [index, step] of steps.entries()) {
      await step(stays)
      wanders.broker = brokers[index % count] ?? stationary
      if (index > 0) await offerSeed(wanders, wanders.seed ?? '')
      expect(await step(wanders)).toMatchObject({ end: 'finished', refused: [] })
    }
    const [kept, whole] = [await wanders.state(), await stays.state()]
    expect(timeless({ ...kept, sessionId: '' })).toEqual(timeless({ ...whole, sessionId: '' }))
    const messages = await messagesOf(wanders)
    expect(messages).toHaveLength((await messagesOf(stays)).length)
    expect(new Set(messages).size).toBe(messages.length)
    for (const broker of brokers) {
      expect(await forksIn(broker, wanders)).toEqual([])
      expect(await broker.log.verify(wanders.sessionId)).toMatchObject({ ok: true })
    }
    expect(await hydrationsIn(brokers[0] ?? stationary, wanders)).toBeGreaterThan(1)
  },
)

test('[B055] [B067] a withdrawal stands, however many refused events another instance has counted', async () => {
  const [first, second] = [await testBroker(), await testBroker()]
  const journey = await caseAfter(first)
  const before = journey.seed ?? ''
  await journey.click(['withdraw', {}])
  const elsewhere = new Journey(second, { sessionId: journey.sessionId, tokens: journey.tokens })
  expect((await offerSeed(elsewhere, before)).body).toMatchObject({ hydrated: true })
  for (let count = 0; count < 20; count++) await elsewhere.click(['no_such_event', {}])
  await elsewhere.click(['acknowledge_disclosure', { id: 'service_status' }])
  for (let time = 0; time < 3; time++) {
    expect((await offerSeed(journey, elsewhere.seed ?? '')).body).toMatchObject({
      hydrated: false,
      reason: 'forked',
      case: { status: 'withdrawn' },
    })
  }
  const forks = await forksIn(first, journey)
  expect(forks).toHaveLength(1)
  expect(forks[0]?.data).toMatchObject({ reason: 'precondition', source: 'system' })
  const { end, session } = await journey.turn('customer', {})
  expect([end, session['case']]).toMatchObject(['finished', { status: 'withdrawn' }])
})

test('[B055] refused events alone do not keep a store from what happened elsewhere', async () => {
  const [first, second] = [await testBroker(), await testBroker()]
  const journey = await caseAfter(first)
  const elsewhere = new Journey(second, { sessionId: journey.sessionId, tokens: journey.tokens })
  elsewhere.seed = journey.seed
  for (const step of CUSTOMER_STEPS.slice(0, 3)) await step(elsewhere)
  const url = `${first.url}/api/threads/${journey.sessionId}/events`
  const events = [{ type: 'no_such_event', data: {} }]
  await request(url, { token: journey.tokens.customer, body: { events } })
  expect((await offerSeed(journey, elsewhere.seed ?? '')).body).toMatchObject({
    hydrated: true,
    case: { status: 'quote_ready' },
  })
})

test('[B008] [B055] a newer seed still fits a store that was filled from an older one', async () => {
  const [first, second] = [await testBroker(), await testBroker()]
  const journey = await caseAfter(first)
  const ofInstaller = journey.seed ?? ''
  for (const step of CUSTOMER_STEPS.slice(0, 4)) await step(journey)
  const ofCustomer = journey.seed ?? ''
  const offer = async (seed: string) => (await offerSeed(journey, seed, second)).body
  expect(await offer(ofInstaller)).toMatchObject({ hydrated: true })
  expect(await offer(ofCustomer)).toMatchObject({ hydrated: true, case: { status: 'quote_ready' } })
  for (const seed of [ofInstaller, ofCustomer]) {
    expect(await offer(seed)).toMatchObject({ hydrated: false, reason: 'already_held' })
  }
  expect(await hydrationsIn(second, journey)).toBe(2)
})

test('[B052] [B068] every answer about a case carries a seed that restores its state', async () => {
  let fails = false
  const model = scriptedModel(() => (fails ? { fail: new Error('overloaded') } : 'Hello.'))
  const broker = await testBroker({ model })
  const created = await request(`${broker.url}/api/session`, { body: {} })
  const journey = new Journey(broker, created.body)
  const token = journey.tokens.customer
  await handOver(journey)
  const answered = await chat(journey, 'installer', {})
  const shown = await request(sessionUrl(journey), { token })
  const offered = await offerSeed(journey, String(answered.body['seed']))
  const proposed = await request(`${broker.url}/api/threads/${journey.sessionId}/events`, {
    token,
    body: { events: [{ type: 'present_disclosure', data: { id: 'service_status' } }] },
  })
  expect(proposed.body['state']).toEqual(
    (await request(sessionUrl(journey), { token })).body['case'],
  )
  const said = await chat(journey, 'customer', { userMessage: 'Hello' })
  fails = true
  const acknowledged = { type: 'acknowledge_disclosure', data: { id: 'service_status' } }
  const failed = await chat(journey, 'customer', { directEvents: [acknowledged] })
  expect(failed).toMatchObject({ status: 502, body: { code: 'model_failed' } })
  const answers = { created, answered, shown, offered, proposed, said, failed }
  const statuses: unknown[] = []
  for (const [name, { body }] of Object.entries(answers)) {
    const cold = await testBroker()
    const back = await offerSeed(journey, String(body['seed']), cold)
    statuses.push([name, back.body['hydrated']])
    if (name === 'failed') {
      expect(back.body['case']).toMatchObject({
        disclosures: [{ id: 'service_status', acknowledgedAt: expect.any(String) }],
      })
    }
  }
  expect(statuses).toEqual(Object.keys(answers).map((name) => [name, true]))
})

test('[B050] [B052] asking for a case gives a seed and appends nothing', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker)
  const head = await broker.log.head(journey.sessionId)
  for (let time = 0; time < 3; time++) {
    const { body } = await request(sessionUrl(journey), { token: journey.tokens.customer })
    expect(body['seed']).toBe(journey.seed)
  }
  expect(await broker.log.head(journey.sessionId)).toBe(head)
})

test('[B055] a server that runs from an older backup takes the seed that descends from it', async () => {
  const folder = newFolder()
  const [now, backup] = [join(folder, 'now'), join(folder, 'backup')]
  const open = async (data: string) => {
    const log = await openLog(`sqlite:${join(data, 'throughline.db')}`)
    const broker = await testBroker({ log })
    return { broker, log, close: () => broker.close().then(() => log.close()) }
  }
  await mkdir(now)
  const before = await open(now)
  const journey = await caseAfter(before.broker)
  const old = journey.seed ?? ''
  await before.close()
  await cp(now, backup, { recursive: true })
  const after = await open(now)
  journey.broker = after.broker
  for (const step of CUSTOMER_STEPS.slice(0, 3)) await step(journey)
  await after.close()

  const restored = await open(backup)
  journey.broker = restored.broker
  expect(restored.log.epoch).toBe(after.log.epoch)
  expect((await offerSeed(journey, old)).body).toMatchObject({ reason: 'already_held' })
  expect((await offerSeed(journey, journey.seed ?? '')).body).toMatchObject({
    hydrated: true,
    case: { status: 'quote_ready' },
  })
  expect((await offerSeed(journey, old)).body).toMatchObject({ reason: 'already_held' })
  expect(await restored.log.verify(journey.sessionId)).toMatchObject({ ok: true })
  await restored.close()
})
