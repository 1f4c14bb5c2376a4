import { expect, test } from 'vitest'
import { defineBroker } from '../../apps/broker/definition.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { replayed } from 'throughline/testing'
import { sha256 } from 'throughline/log'

/** Logs of the journeys as today's definition makes them; older ones hold what it decides otherwise. */
const OF_TODAY = ['0.3-demonstration', '0.3-revealed', '0.3-silence']

test('the broker decides whole journeys again as they are on record', async () => {
  const { app } = defineBroker({ model: scriptedNarrator({}), now: Date.now, sha256 } as never)
  for (const name of OF_TODAY) {
    const { threads, decided } = await replayed(`test/order/golden/${name}.jsonl`, app)
    expect(threads).toBe(1)
    expect(decided).toBeGreaterThan(5)
  }
})
