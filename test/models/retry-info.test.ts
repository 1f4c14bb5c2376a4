import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGoogle } from '@ai-sdk/google'
import { expect, onTestFinished, test } from 'vitest'
import { defineAgent, open } from 'throughline'

/** As Gemini answers who asks too often: the time stands in the body alone. */
function exhausted(retryDelay: string): string {
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }
  const message = 'You exceeded your current quota.'
  const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [info] }
  return JSON.stringify({ error }, null, 2)
}

/** How often a turn asks a Gemini on loopback that is never at leisure. */
async function timesAsked(retryDelay: string) {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    request.resume()
    response.writeHead(429, { 'content-type': 'application/json' }).end(exhausted(retryDelay))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const google = createGoogle({ baseURL: `http://127.0.0.1:${port}/v1beta`, apiKey: 'not-a-key' })
  const app = await open({
    store: 'memory:',
    agents: [defineAgent({ name: 'lead', model: google('gemini-3-pro-preview') })],
  })
  onTestFinished(() => app.close())
  const { error } = await app.turn('t', { agent: 'lead', input: 'Go' }).result
  expect(error?.code).toBe('provider')
  return asked
}

test('[M5] Google says in the body when to come again, and is not asked again when that is too late', async () => {
  expect(await timesAsked('0.1s')).toBe(2)
  expect(await timesAsked('3600s')).toBe(1)
})
