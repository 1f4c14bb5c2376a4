import { STALL_MAX_MS } from '../../src/server/index.ts'
import { expect, test } from 'vitest'
import { manyStreams } from './many-streams.fixture.ts'

const READERS = 50
const EVENTS = { count: 1_000, chars: 20_000, everyMs: 5 }
const HELD_MB_MAX = 64
const SLOWER_MAX = 2

test(`[E4] ${READERS} readers that stall before 20 MB each are dropped with their cursors, and no other reader notices`, async ({
  annotate,
}) => {
  const { append, tell, peakMb, descriptors } = await manyStreams()
  await tell({ kind: 'open', count: READERS, pace: 'reading' })
  const alone = await tell({ kind: 'await', seq: await append(EVENTS) })
  const before = { peak: await peakMb(), descriptors: await descriptors() }

  await tell({ kind: 'open', count: READERS, pace: 'stalled' })
  const head = await append(EVENTS)
  const since = performance.now()
  const beside = await tell({ kind: 'await', seq: head })
  const held = (await peakMb()) - before.peak
  await expect.poll(descriptors, { timeout: STALL_MAX_MS }).toBe(before.descriptors)
  const dropped = performance.now() - since

  await tell({ kind: 'resume' })
  const { records, misplaced } = await tell({ kind: 'await', seq: head })
  await annotate(
    `${READERS} stalled readers made the server ${held.toFixed(1)} MB larger and were dropped ` +
      `${(dropped / 1_000).toFixed(1)} s after the last append; others had 99 of 100 events after ` +
      `${beside.p99.toFixed(1)} ms (${alone.p99.toFixed(1)} ms without them); ` +
      `${misplaced} of ${records} records misplaced`,
    'promise',
  )
  // The stalled ones resume from the first record of the thread.
  expect(records).toBe(2 * EVENTS.count * 2 * READERS)
  expect(misplaced).toBe(0)
  expect(held).toBeLessThan(HELD_MB_MAX)
  expect(beside.p99).toBeLessThan(SLOWER_MAX * alone.p99)
}, 300_000)
