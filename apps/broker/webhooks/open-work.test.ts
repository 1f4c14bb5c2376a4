import { expect, test } from 'vitest'
import type { Cursors } from 'throughline/log'
import { openCursors } from 'throughline/storage'
import { freshPath } from '../../../src/storage/sqlite-folder.fixture.ts'
import { Journey, handOver } from '../journeys/journey.fixture.ts'
import { recordsOf, serveBroker } from '../journeys/served-broker.fixture.ts'
import { SECRET, fails, receiver, takes } from './receiver.fixture.ts'

const IDLE_MS = 3_000
const HOUR_MS = 3_600_000

function newCursors(): Cursors {
  const cursors = openCursors(`sqlite:${freshPath()}`)
  if (!cursors) throw new TypeError('Cannot keep cursors')
  return cursors
}

const patient = { secret: SECRET, timeoutMs: 1_000, onFault: () => undefined }

test('[L13] a case whose idle time is not over is on the list, and told of by the next start', async () => {
  const { url, received } = await receiver(0, takes)
  const events = () => received.map(({ event }) => event)
  const webhooks = { ...patient, url, idleMs: IDLE_MS }
  const cursors = newCursors()
  const first = await serveBroker({ cursors, webhooks })
  const journey = await Journey.start(first)
  await handOver(journey)
  await expect.poll(events).toEqual(['customer_link_ready'])
  await first.close()
  const records = await recordsOf(first.log, journey.sessionId)
  const last = records.findLast(({ type }) => type !== 'CUSTOM')
  expect(await cursors.open('work')).toEqual([
    { thread: journey.sessionId, dueAt: (last?.ts ?? 0) + IDLE_MS },
  ])
  const second = await serveBroker({ log: first.log, cursors, webhooks })
  await expect.poll(events).toEqual(['customer_link_ready', 'journey_idle'])
  await expect.poll(() => cursors.open('work')).toEqual([])
  await second.close()
})

test('[L13] a delivery that failed is on the list with the time of its next attempt', async () => {
  const { url, received } = await receiver(0, fails, takes)
  const cursors = newCursors()
  const setting = { ...patient, url, idleMs: HOUR_MS, retryDelaysMs: [1_500] }
  const first = await serveBroker({ cursors, webhooks: setting })
  const journey = await Journey.start(first)
  await handOver(journey)
  await expect.poll(() => received).toHaveLength(1)
  await first.close()
  const [open] = await cursors.open('work')
  expect((open?.dueAt ?? 0) - Date.now()).toBeLessThan(1_500)
  const second = await serveBroker({ log: first.log, cursors, webhooks: setting })
  await expect.poll(() => received.map(({ delivery }) => delivery.attempt)).toEqual([1, 2])
  await second.close()
})

test('[L13] a receiver that is named later is told of what the cases have for it', async () => {
  const { url, received } = await receiver(0, takes)
  const cursors = newCursors()
  const first = await serveBroker({ cursors })
  const journey = await Journey.start(first)
  await handOver(journey)
  await first.close()
  expect(await cursors.open('work')).toEqual([])
  const second = await serveBroker({ log: first.log, cursors, webhooks: { ...patient, url } })
  await expect.poll(() => received.map(({ event }) => event)).toEqual(['customer_link_ready'])
  await second.close()
})
