import { expect, test } from 'vitest'
import { manyStreams } from './many-streams.fixture.ts'

const STREAMS = 5_000
const EVENTS = 20
const STORMS = 3

const CONNECTED_MS_MAX = 10_000
const RECEIVED_MS_MAX = 5_000
const RESIDENT_MB_MAX = 500
/** How far memory and descriptors may be from where they were before a storm. */
const LEFT_BY_STORMS_MAX = 1.1

test(`[E3] ${STREAMS} streams are fed from one process, and reconnect together without leaving anything behind`, async ({
  annotate,
}) => {
  const { append, tell, residentMb, heldMb, descriptors } = await manyStreams()
  const connecting = performance.now()
  await tell({ kind: 'open', count: STREAMS, pace: 'reading' })
  const connected = performance.now() - connecting

  const appending = performance.now()
  const head = await append({ count: EVENTS, chars: 100, everyMs: 0 })
  const fed = await tell({ kind: 'await', seq: head })
  const received = performance.now() - appending
  expect(fed).toMatchObject({ records: EVENTS * STREAMS, misplaced: 0 })

  const storm = async (): Promise<void> => {
    await tell({ kind: 'storm' })
    const seq = await append({ count: EVENTS, chars: 100, everyMs: 0 })
    await tell({ kind: 'await', seq })
  }
  // The first ones fill every pool and cache; what later ones leave behind adds to it.
  for (let count = 0; count < STORMS; count++) await storm()
  const before = { held: await heldMb(), descriptors: await descriptors() }
  for (let count = 0; count < STORMS; count++) await storm()
  const resident = await residentMb()
  const after = { held: await heldMb(), descriptors: await descriptors() }
  const { records, misplaced } = await tell({ kind: 'await', seq: 0 })
  await annotate(
    `${STREAMS} streams connected in ${seconds(connected)} s, ${EVENTS} events at all of them ` +
      `after ${seconds(received)} s, ${resident.toFixed(0)} MB resident; ${STORMS} storms ` +
      `took what is held from ${before.held.toFixed(0)} to ${after.held.toFixed(0)} MB and ` +
      `descriptors from ${before.descriptors} to ${after.descriptors}; ${misplaced} of ${records} records misplaced`,
    'promise',
  )
  expect(records).toBe(EVENTS * STREAMS * (1 + 2 * STORMS))
  expect(misplaced).toBe(0)
  expect(connected).toBeLessThan(CONNECTED_MS_MAX)
  expect(received).toBeLessThan(RECEIVED_MS_MAX)
  expect(resident).toBeLessThan(RESIDENT_MB_MAX)
  expect(after.held / before.held).toBeLessThan(LEFT_BY_STORMS_MAX)
  expect(after.descriptors / before.descriptors).toBeLessThan(LEFT_BY_STORMS_MAX)
}, 300_000)

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1)
}
