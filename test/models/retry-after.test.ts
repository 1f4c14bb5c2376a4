import { onTestFinished, expect, test, vi } from 'vitest'
import { defineAgent, open } from 'throughline'
import { MODEL_RETRY_AFTER_MAX_MS } from '../../src/models/index.ts'
import { openAnthropic } from './anthropic-server.fixture.ts'
import { openOpenAI } from './openai-server.fixture.ts'
import type { OpenProvider } from './provider-contract.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

/** A turn whose provider first asks for patience, with the clock in the test's hand. */
async function patient(provider: OpenProvider, retryAfter: string) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let calls = 0
  const { model, server } = await provider(() =>
    ++calls === 1 ? { status: 429, retryAfter } : 'Here I am.',
  )
  const app = await open({ store: 'memory:', agents: [defineAgent({ name: 'lead', model })] })
  const turn = app.turn('t', { agent: 'lead', input: 'Go' })
  /** Until the first call is on record as failed, and the wait has begun. */
  const waiting = async (): Promise<void> => {
    const failed = async () =>
      (await recordsOf(app.log, 't')).some(({ type }) => type === 'STEP_FINISHED')
    while (!(await failed())) await soon()
    await soon()
  }
  return { app, server, turn, waiting }
}

const realTimer = globalThis.setTimeout
/** Long enough for a request that was made to have arrived; nothing waits for one that was not. */
const ARRIVAL_MS = 300

function aMoment(): Promise<void> {
  return new Promise((resolve) => {
    realTimer(resolve, ARRIVAL_MS)
  })
}

function soon(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

test.each([
  ['Anthropic', openAnthropic],
  ['OpenAI', openOpenAI],
] as const)('[M5] %s says when to come again, and is not asked before', async (_name, provider) => {
  const { app, server, turn, waiting } = await patient(provider, '7')
  await waiting()
  vi.advanceTimersByTime(6_999)
  await aMoment()
  expect(server.asked).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'Here I am.' })
  expect(server.asked).toHaveLength(2)
  await app.close()
})

test('[M5] a provider that wants to be left alone for too long is not asked again in the turn', async () => {
  const { app, server, turn } = await patient(
    openAnthropic,
    String(MODEL_RETRY_AFTER_MAX_MS / 1_000 + 1),
  )
  expect(await turn.result).toMatchObject({ reason: 'error', error: { code: 'provider' } })
  expect(server.asked).toHaveLength(1)
  const next = await app.turn('t', { agent: 'lead', input: 'And now?' }).result
  expect(next).toMatchObject({ reason: 'success', text: 'Here I am.' })
  await app.close()
})
