import { expect, test } from 'vitest'
import { defineAgent, open, scriptedModel } from 'throughline'

const SENDS = 50
const ROUNDS = 4
const TOKENS = 6_000
const OUTPUT_TOKENS = 100

test('[M8] fifty sends at once, again and again: no model call is made above the thread’s budget', async ({
  annotate,
}) => {
  let [calls, above, used] = [0, 0, 0]
  // Four characters a token, as the scripted model reckons: it gives all that it may.
  const model = scriptedModel(() => {
    calls++
    if (used > TOKENS) above++
    return 'x'.repeat(4 * OUTPUT_TOKENS)
  })
  const limits = { outputTokens: OUTPUT_TOKENS }
  const agent = defineAgent({ name: 'A', model, limits })
  const app = await open({ store: 'memory:', agents: [agent], limits: { tokens: TOKENS } })
  const ends = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const sends = Array.from({ length: SENDS }, async (_, n) => {
      const turn = app.turn('t', { agent: 'A', input: `${round}.${n}` })
      const { reason, usage } = await turn.result
      used += (usage.total.inputTokens ?? 0) + (usage.total.outputTokens ?? 0)
      return reason
    })
    for (const { status, value, reason } of await settled(sends)) {
      const end = status === 'fulfilled' ? value : codeOf(reason)
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }
  }
  await app.close()
  expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(SENDS * ROUNDS)
  expect([...ends.keys()].toSorted()).toEqual(['busy', 'limit', 'success'])
  expect(ends.get('success')).toBe(calls)
  expect(used).toBeLessThanOrEqual(TOKENS)
  expect(above).toBe(0)
  await annotate(
    `${SENDS * ROUNDS} sends, ${SENDS} at once: ${calls} model calls used ${used} of ${TOKENS} tokens, ${above} calls above the budget`,
    'promise',
  )
})

async function settled(sends: readonly Promise<string>[]) {
  const results = await Promise.allSettled(sends)
  return results.map((result) => ({ value: '', reason: undefined as unknown, ...result }))
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  throw error
}
