import { expect, test } from 'vitest'
import { subscribe } from 'throughline/client'
import type { ThreadUpdate } from 'throughline/client'
import { scriptedNarrator } from '../narrator/index.ts'
import { caseAfter } from './journey.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

test('[A032] [A034] [E014] text arrives while it is being said, in order, and ends up as the transcript', async () => {
  const broker = await testBroker({ model: scriptedNarrator({ chunkDelayMs: 5 }) })
  const journey = await caseAfter(broker)
  const deltas: string[] = []
  const updates = subscribe({
    url: `${broker.url}/api/threads/${journey.sessionId}/events`,
    headers: () => ({ authorization: `Bearer ${journey.tokens.customer}` }),
  })
  const reading = gather(updates, deltas)
  const { reply } = await journey.turn('customer', { isFirstTurn: true })
  const inTime = deltas.length
  await reading
  expect(inTime).toBeGreaterThanOrEqual(3)
  expect(deltas.join('')).toBe(reply)
})

async function gather(updates: AsyncIterable<ThreadUpdate>, deltas: string[]): Promise<void> {
  for await (const update of updates) {
    if (update.type !== 'record') continue
    const { type, data } = update.record
    if (type === 'TEXT_MESSAGE_CONTENT') deltas.push((data as { delta: string }).delta)
    if (type === 'TEXT_MESSAGE_END') return
  }
}
