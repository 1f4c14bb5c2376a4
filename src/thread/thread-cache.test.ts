import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { customEvent } from '../activity/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { NewEvent } from '../log/index.ts'
import { ThreadCache } from './index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

/** Twelve events that two writers append again and again, whole or in part. */
const IDS = Array.from({ length: 12 }, () => randomUUID())
const eventOf = (at: number): NewEvent => ({
  ...customEvent('note', `note ${at}`, { source: 'ui', depth: 0 }),
  id: IDS[at] ?? '',
})

const anyAppend = fc.record({
  absorbed: fc.boolean(),
  events: fc.array(fc.nat(IDS.length - 1), { minLength: 1, maxLength: 4 }),
})

test('an absorbed thread is the thread that its log holds, whatever ids come again', async () => {
  const property = fc.asyncProperty(fc.array(anyAppend, { maxLength: 10 }), async (appends) => {
    const log = memoryLog({ now: () => 1 })
    const cache = new ThreadCache({ log, domain: lamp })
    for (const { absorbed, events } of appends) {
      const records = await log.append('t', events.map(eventOf))
      if (!absorbed) continue
      const snapshot = await cache.absorb('t', records)
      const newest = Math.max(...records.map(({ seq }) => seq))
      expect(snapshot.seq).toBeGreaterThanOrEqual(newest)
      const whole = await new ThreadCache({ log, domain: lamp }).fresh('t')
      if (snapshot.seq === whole.seq) expect(snapshot).toStrictEqual(whole)
    }
    const whole = await new ThreadCache({ log, domain: lamp }).fresh('t')
    expect(await cache.fresh('t')).toStrictEqual(whole)
  })
  await fc.assert(property, { numRuns: timesInTier({ quick: 300, full: 10_000 }) })
})
