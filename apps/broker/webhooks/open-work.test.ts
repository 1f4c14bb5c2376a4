import { expect, test } from 'vitest'
import { customValue } from 'throughline/client'
import { caseAfter } from '../journeys/journey.fixture.ts'
import { newCursors } from './cases.fixture.ts'
import { NOTED } from './outbox.ts'
import { SECRET, fails, receiver, takes } from './receiver.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from '../journeys/test-broker.fixture.ts'

const IDLE_MS = 3_000
const HOUR_MS = 3_600_000
const RETRY_MS = 2_500
const WAIT = { timeout: 5_000 }
/** The threads with open work of any kind: a silence is a deadline. */
const WORK = 'work'
const DELIVERIES = 'broker.webhooks'

const patient = { secret: SECRET, timeoutMs: 1_000, onFault: () => undefined }

test('[L13] a case whose idle time is not over is on the list, and told of by the next start', async () => {
  const { url, received } = await receiver(0, takes)
  const events = () => received.map(({ event }) => event)
  const webhooks = { ...patient, url, idleMs: IDLE_MS }
  const cursors = newCursors()
  const first = await testBroker({ cursors, webhooks })
  const journey = await caseAfter(first)
  await expect.poll(events).toEqual(['customer_link_ready'])
  const records = await recordsOf(first.log, journey.sessionId)
  const last = records.findLast(({ type }) => type !== 'CUSTOM')
  const row = { thread: journey.sessionId, dueAt: (last?.ts ?? 0) + IDLE_MS }
  await expect.poll(() => cursors.open(WORK), WAIT).toEqual([row])
  await first.close()
  await testBroker({ log: first.log, cursors, webhooks })
  await expect.poll(events).toEqual(['customer_link_ready', 'journey_idle'])
  await expect.poll(() => cursors.open(WORK), WAIT).toEqual([])
})

test('[L13] a delivery that failed is on the list with the time of its next attempt', async () => {
  const { url, received } = await receiver(0, fails, takes)
  const cursors = newCursors()
  const setting = { ...patient, url, idleMs: HOUR_MS, retryDelaysMs: [RETRY_MS] }
  const first = await testBroker({ cursors, webhooks: setting })
  const journey = await caseAfter(first)
  await expect.poll(() => received).toHaveLength(1)
  const failed = async () =>
    (await recordsOf(first.log, journey.sessionId)).find(
      (record) => customValue(record, NOTED.failed) !== undefined,
    )
  await expect.poll(failed, WAIT).toBeDefined()
  const row = { thread: journey.sessionId, dueAt: ((await failed())?.ts ?? 0) + RETRY_MS }
  await expect.poll(() => cursors.open(DELIVERIES), WAIT).toEqual([row])
  await first.close()
  await testBroker({ log: first.log, cursors, webhooks: setting })
  const attempts = () => received.map(({ delivery }) => delivery.attempt)
  await expect.poll(attempts, WAIT).toEqual([1, 2])
})

test('[L13] a shorter idle time counts from the next start on', async () => {
  const { url, received } = await receiver(0, takes)
  const cursors = newCursors()
  const first = await testBroker({ cursors, webhooks: { ...patient, url, idleMs: HOUR_MS } })
  const journey = await caseAfter(first)
  const threads = async () => (await cursors.open(WORK)).map(({ thread }) => thread)
  await expect.poll(threads, WAIT).toEqual([journey.sessionId])
  await first.close()
  const webhooks = { ...patient, url, idleMs: 100 }
  await testBroker({ log: first.log, cursors, webhooks })
  const events = () => received.map(({ event }) => event)
  await expect.poll(events, WAIT).toEqual(['customer_link_ready', 'journey_idle'])
})

test('[L13] a receiver configured later gets the deliveries of existing cases', async () => {
  const { url, received } = await receiver(0, takes)
  const cursors = newCursors()
  const first = await testBroker({ cursors })
  await caseAfter(first)
  await first.close()
  expect(await cursors.open(DELIVERIES)).toEqual([])
  await testBroker({ log: first.log, cursors, webhooks: { ...patient, url } })
  await expect.poll(() => received.map(({ event }) => event)).toEqual(['customer_link_ready'])
})
