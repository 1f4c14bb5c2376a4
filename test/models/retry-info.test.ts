import { createGoogle } from '@ai-sdk/google'
import { expect, onTestFinished, test } from 'vitest'
import { defineAgent, open } from 'throughline'
import { googleServer } from './google-server.fixture.ts'

/** Gemini's answer to too many requests: the time is in the body alone. */
function exhausted(retryDelay: string): unknown {
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }
  const message = 'You exceeded your current quota.'
  return { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [info] } }
}

/** Returns how often a turn calls a Gemini on loopback that is always overloaded. */
async function timesAsked(retryDelay: string) {
  const { baseUrl, asked } = await googleServer(() => ({
    status: 429,
    body: exhausted(retryDelay),
  }))
  const google = createGoogle({ baseURL: baseUrl, apiKey: 'not-a-key' })
  const app = await open({
    store: 'memory:',
    agents: [defineAgent({ name: 'lead', model: google('gemini-3-pro-preview') })],
  })
  onTestFinished(() => app.close())
  const { error } = await app.turn('t', { agent: 'lead', input: 'Go' }).result
  expect(error?.code).toBe('provider')
  return asked.length
}

test('[M5] Google says in the body when to come again, and is not asked again when that is too late', async () => {
  expect(await timesAsked('0.1s')).toBe(2)
  expect(await timesAsked('3600s')).toBe(1)
})
