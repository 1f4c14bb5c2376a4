import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  CUSTOMER_STEPS,
  Journey,
  acceptOffer,
  caseAfter,
  handOver,
} from '../journeys/journey.fixture.ts'
import { request } from '../journeys/served-broker.fixture.ts'
import type { ServedBroker } from '../journeys/served-broker.fixture.ts'
import type { WebhookOptions } from './index.ts'
import {
  SECRET,
  fails,
  hangs,
  hangsUp,
  isSigned,
  notedIn,
  pointsElsewhere,
  receiver,
  refuses,
  takes,
  talksForEver,
} from './receiver.fixture.ts'
import { signature } from './signature.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from '../journeys/test-broker.fixture.ts'

const WAIT = { timeout: 8_000, interval: 10 }

const faults: unknown[] = []
const patient = {
  secret: SECRET,
  retryDelaysMs: [10, 20, 30, 40],
  timeoutMs: 300,
  onFault: (error: unknown) => void faults.push(error),
}

async function told(url: string, more: Partial<WebhookOptions> = {}) {
  const broker = await testBroker({ webhooks: { ...patient, url, ...more } })
  return { broker, journey: await Journey.start(broker) }
}

const noted = async ({ log }: ServedBroker, { sessionId }: Journey) =>
  notedIn(await recordsOf(log, sessionId))

const delivered = async (broker: ServedBroker, journey: Journey) =>
  (await noted(broker, journey)).filter(({ name }) => name === 'webhook_delivered')

test('[broker 15] a whole journey sends its link, its start, a need for support and its outcome, each once', async () => {
  const { url, received } = await receiver(0, takes)
  const { broker, journey } = await told(url)
  await handOver(journey)
  for (const step of CUSTOMER_STEPS.slice(0, 6)) await step(journey)
  const note = 'NOTE-CANARY'
  const indicators = ['recent_life_event', 'financial_difficulty']
  await journey.click(['record_vulnerability_indicators', { indicators, note }])
  for (const step of CUSTOMER_STEPS.slice(7)) await step(journey)
  await acceptOffer(journey)
  await expect.poll(() => delivered(broker, journey), WAIT).toHaveLength(4)
  await pause(60)
  expect(received.map(({ event }) => event)).toEqual([
    'customer_link_ready',
    'journey_started',
    'vulnerability_flagged',
    'case_outcome',
  ])
  expect(received.every(({ signed, sessionId }) => signed && sessionId === journey.sessionId)).toBe(
    true,
  )
  const [link, , support, outcome] = received.map((each) => each.case)
  expect(link).toMatchObject({ link: expect.stringMatching(/^\/customer\/[\w-]+#token=/) })
  expect(support).toEqual({ status: 'quote_ready', indicatorCount: 2 })
  expect(outcome).toMatchObject({
    outcome: 'selected',
    selectedOffer: { lender: 'Harbour Bank', monthlyPayment: 197.71 },
  })
  const texts = received.map(({ text }) => text).join('\n')
  expect(texts).not.toMatch(/CANARY|life_event|Sarah|1984|SW1A|42,?000|07700|example\.com/)
  const ids = new Set(received.map(({ delivery }) => delivery.id))
  expect(ids.size).toBe(4)
  expect(faults).toEqual([])
  for (const side of ['customer', 'installer'] as const) {
    const seen = await request(`${broker.url}/api/threads/${journey.sessionId}/events`, {
      token: journey.tokens[side],
    })
    expect(JSON.stringify(seen.body)).not.toContain('webhook')
  }
})

test('[broker 15] whatever the receiver does, each delivery is sent under one id until it is taken and recorded once', async () => {
  const answers = [fails, hangs, hangsUp, pointsElsewhere, takes]
  const { url, received, paths } = await receiver(0, ...answers)
  const { broker, journey } = await told(url)
  await handOver(journey)
  await expect.poll(() => delivered(broker, journey), WAIT).toHaveLength(1)
  expect(received.map(({ delivery }) => delivery.attempt)).toEqual([1, 2, 3, 4, 5])
  expect(new Set(received.map(({ delivery }) => delivery.id)).size).toBe(1)
  expect(received.every(({ signed }) => signed)).toBe(true)
  expect(new Set(paths)).toEqual(new Set(['/hook']))
  const names = (await noted(broker, journey)).map(({ name }) => name)
  expect(names).toEqual([...Array(4).fill('webhook_failed'), 'webhook_delivered'])
})

test('[broker 15] a delivery that is never taken becomes a dead letter and holds up no other', async () => {
  const { url, received } = await receiver(0, refuses)
  const { broker, journey } = await told(url, { retryDelaysMs: [5, 5] })
  await handOver(journey)
  const dead = async () =>
    (await noted(broker, journey)).filter(({ name }) => name === 'webhook_dead_lettered')
  await expect.poll(dead, WAIT).toHaveLength(1)
  await pause(100)
  expect(received).toHaveLength(3)
  for (const step of CUSTOMER_STEPS.slice(0, 2)) await step(journey)
  await expect.poll(dead, WAIT).toHaveLength(2)
  expect((await dead()).map(({ event }) => event)).toEqual([
    'customer_link_ready',
    'journey_started',
  ])
})

test('a receiver that hangs holds up no turn, and an answer without end is not read', async () => {
  const { url, received } = await receiver(0, hangs, talksForEver)
  const { broker, journey } = await told(url, { timeoutMs: 1_500, retryDelaysMs: [1] })
  await handOver(journey)
  await expect.poll(() => received.length, WAIT).toBe(1)
  for (const step of CUSTOMER_STEPS.slice(0, 3)) expect((await step(journey)).end).toBe('finished')
  expect(await noted(broker, journey)).not.toContainEqual(
    expect.objectContaining({ event: 'customer_link_ready', name: 'webhook_failed' }),
  )
  await expect.poll(() => delivered(broker, journey), WAIT).toHaveLength(2)
})

test('[broker 15] a receiver that is down across a restart gets the delivery later, under the same id', async () => {
  const first = await receiver(0, fails)
  const { broker, journey } = await told(first.url, { retryDelaysMs: [50, 50, 50, 50, 50] })
  await handOver(journey)
  await expect.poll(() => first.received.length, WAIT).toBeGreaterThan(0)
  first.close()
  await expect.poll(async () => (await noted(broker, journey)).length, WAIT).toBeGreaterThan(1)
  await broker.close()
  const again = await testBroker({
    log: broker.log,
    webhooks: { ...patient, url: first.url, retryDelaysMs: Array(60).fill(50) },
  })
  await pause(100)
  const second = await receiver(first.port, takes)
  await expect.poll(() => delivered(again, journey), WAIT).toHaveLength(1)
  const ids = [...first.received, ...second.received].map(({ delivery }) => delivery.id)
  expect(new Set(ids).size).toBe(1)
  expect(second.received).toHaveLength(1)
})

test('[broker 15] `journey_idle` is sent once for each silence of the configured length', async () => {
  const { url, received } = await receiver(0, takes)
  const { journey } = await told(url, { idleMs: 150 })
  const idle = () => received.filter(({ event }) => event === 'journey_idle')
  await pause(400)
  expect(idle()).toEqual([])
  await handOver(journey)
  await expect.poll(() => idle().length, WAIT).toBe(1)
  await pause(400)
  expect(idle()).toHaveLength(1)
  await journey.turn('customer', { isFirstTurn: true })
  await expect.poll(() => idle().length, WAIT).toBe(2)
  expect(idle()[1]?.case).toMatchObject({ status: 'awaiting_customer' })
  await journey.click(['withdraw', {}])
  await pause(400)
  expect(idle()).toHaveLength(2)
  expect(received.at(-1)).toMatchObject({ event: 'case_outcome', case: { outcome: 'withdrawn' } })
})

test('without a configured receiver no delivery is sent or recorded', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker)
  await pause(60)
  expect(await noted(broker, journey)).toEqual([])
})

test('a server that takes over a case from its seed sends only later events', async () => {
  const { url, received } = await receiver(0, takes)
  const { broker, journey } = await told(url)
  await handOver(journey)
  for (const step of CUSTOMER_STEPS.slice(0, 2)) await step(journey)
  await expect.poll(() => delivered(broker, journey), WAIT).toHaveLength(2)
  await broker.close()
  journey.broker = await testBroker({ webhooks: { ...patient, url } })
  await journey.click(['record_eligibility', { ...NO_HOME }])
  await expect.poll(() => delivered(journey.broker, journey), WAIT).toHaveLength(1)
  expect(received.slice(2)).toMatchObject([
    { event: 'case_outcome', case: { outcome: 'ineligible', failedCriterion: 'isHomeowner' } },
  ])
})

const NO_HOME = { isOver18: true, isUkResident: true, isHomeowner: false, isEmployed: true }

test('a signature holds for its body and five minutes, and for nothing else', () => {
  const at = 1_800_000_000_000
  const header = signature(SECRET, '{"a":1}', at)
  expect(isSigned(header, '{"a":1}', at + 299_000)).toBe(true)
  expect(isSigned(header, '{"a":2}', at)).toBe(false)
  expect(isSigned(header, '{"a":1}', at + 301_000)).toBe(false)
  expect(isSigned(signature('another', '{"a":1}', at), '{"a":1}', at)).toBe(false)
  expect(isSigned(header.replace('t=1800000000', 't=1800000001'), '{"a":1}', at)).toBe(false)
})
