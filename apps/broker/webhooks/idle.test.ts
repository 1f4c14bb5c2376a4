import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Journey, caseAfter } from '../journeys/journey.fixture.ts'
import type { ServedBroker, Setting } from '../journeys/served-broker.fixture.ts'
import { newCursors } from './cases.fixture.ts'
import { SECRET, receiver, takes } from './receiver.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from '../journeys/test-broker.fixture.ts'

const WAIT = { timeout: 8_000, interval: 10 }
const IDLE_MS = 300

const patient = { secret: SECRET, idleMs: IDLE_MS, onFault: () => undefined }

async function served(setting: Setting): Promise<ServedBroker> {
  const broker = await testBroker(setting)
  return broker
}

async function silencesIn({ log }: ServedBroker, { sessionId }: Journey) {
  const records = await recordsOf(log, sessionId)
  return records.filter(({ type }) => type === 'journey_idle')
}

async function lastRun({ log }: ServedBroker, { sessionId }: Journey) {
  const records = await recordsOf(log, sessionId)
  return records.findLast(({ origin }) => origin.run !== undefined)
}

test('[broker 15] the server records journey_idle with the time of the last turn, and sends it', async () => {
  const { url, received } = await receiver(0, takes)
  const broker = await served({ webhooks: { ...patient, url } })
  const journey = await caseAfter(broker)
  await expect.poll(() => silencesIn(broker, journey), WAIT).toHaveLength(1)
  const since = new Date((await lastRun(broker, journey))?.ts ?? 0).toISOString()
  const [silence] = await silencesIn(broker, journey)
  expect(silence).toMatchObject({ data: { since }, origin: { source: 'system' } })
  await expect.poll(() => received.at(-1)?.event, WAIT).toBe('journey_idle')
  expect(received.at(-1)?.case).toEqual({ status: 'awaiting_customer', since })
})

test('[broker 15] a case that goes on before the time gets no journey_idle', async () => {
  const { url } = await receiver(0, takes)
  const broker = await served({ webhooks: { ...patient, idleMs: 4 * IDLE_MS, url } })
  const journey = await caseAfter(broker)
  for (let turn = 0; turn < 5; turn++) {
    await pause(IDLE_MS)
    await journey.turn('customer', { isFirstTurn: true })
  }
  expect(await silencesIn(broker, journey)).toEqual([])
  await expect.poll(() => silencesIn(broker, journey), WAIT).toHaveLength(1)
})

test('[D16] a deadline that passes while no server runs: the next server records journey_idle once', async () => {
  const { url, received } = await receiver(0, takes)
  const cursors = newCursors()
  const webhooks = { ...patient, url }
  const before = await testBroker({ cursors, webhooks })
  const journey = await caseAfter(before)
  await before.close()
  await pause(IDLE_MS)
  expect(await silencesIn(before, journey)).toEqual([])
  for (let start = 0; start < 2; start++) {
    const again = await testBroker({ log: before.log, cursors, webhooks })
    await expect.poll(() => silencesIn(again, journey), WAIT).toHaveLength(1)
    await pause(IDLE_MS)
  }
  expect(await silencesIn(before, journey)).toHaveLength(1)
  expect(received.filter(({ event }) => event === 'journey_idle')).toHaveLength(1)
})

test('[D16] two servers on one log record journey_idle once', async () => {
  const { url, received } = await receiver(0, takes)
  const webhooks = { ...patient, url }
  const first = await served({ webhooks })
  const second = await served({ log: first.log, webhooks })
  const journey = await caseAfter(first)
  // Each server waits for the time of a case that it has served.
  journey.broker = second
  await journey.turn('customer', { isFirstTurn: true })
  journey.broker = first
  await journey.turn('customer', {})
  await expect.poll(() => received.at(-1)?.event, WAIT).toBe('journey_idle')
  await pause(2 * IDLE_MS)
  expect(await silencesIn(first, journey)).toHaveLength(1)
  expect(received.filter(({ event }) => event === 'journey_idle')).toHaveLength(1)
})

test('a server without webhooks records no journey_idle and lists no such deadline', async () => {
  const { url } = await receiver(0, takes)
  const cursors = newCursors()
  const told = await testBroker({ cursors, webhooks: { ...patient, idleMs: 3_600_000, url } })
  const journey = await caseAfter(told)
  const threads = async () => (await cursors.open('work')).map(({ thread }) => thread)
  await told.close()
  expect(await threads()).toEqual([journey.sessionId])
  const quiet = await served({ log: told.log, cursors })
  await expect.poll(threads, WAIT).toEqual([])
  expect(await silencesIn(quiet, journey)).toEqual([])
})
