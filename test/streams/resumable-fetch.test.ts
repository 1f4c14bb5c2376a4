import type { CallerEvent } from 'throughline'
import { resumableFetch } from 'throughline/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { call, readFrames, serveAgents } from '../../src/server/served-agents.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { through } from './served-threads.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

/** Bytes between two cuts: in a full run a stream is cut at each of its bytes. */
const STRIDE = timesInTier({ quick: 211, full: 1 })

const quickly = resumableFetch({ sleep: async () => undefined })
const asStream = { headers: { accept: 'text/event-stream' } }

/** A turn with a run below it, which has ended. */
async function servedTurn() {
  const server = await serveAgents()
  onTestFinished(() => server.close())
  const thread = `${server.url}/api/threads/t`
  await call(`${thread}/runs`, { agent: 'clerk', input: 'Look it up' })
  await readFrames(`${thread}/events?view=agent`, isEnd)
  return server
}

function isEnd({ type, depth }: CallerEvent): boolean {
  return type === 'turn_end' && depth === 0
}

/** Reads a stream to the record that was the last one when the stream began. */
async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    const [, head] = /"head":(\d+)/.exec(text) ?? []
    if (head !== undefined && text.includes(`\nid: ${head}\n`) && text.endsWith('\n\n')) break
  }
  return text
}

test.each(['?view=agent', ''])(
  'the stream events%s is read whole, at whatever byte it is cut',
  async (query) => {
    const server = await servedTurn()
    const path = `/api/threads/t/events${query}`
    const whole = await textOf(await fetch(server.url + path, asStream))
    const bytes = Buffer.from(whole).length
    // The pause is for the client, which resumes the stream itself.
    const read = whole.replace('retry: 500\n', '')
    expect(bytes).toBeGreaterThan(2_000)
    const faults: { readonly kind: 'cut' | 'reset'; readonly afterBytes: number }[] = []
    const proxy = await through(server.url, () => faults.shift() ?? { kind: 'none' })
    for (let afterBytes = 1; afterBytes <= bytes; afterBytes += STRIDE) {
      faults.push({ kind: afterBytes % 2 === 0 ? 'cut' : 'reset', afterBytes })
      const text = await textOf(await quickly(proxy.url + path, asStream))
      expect(text, `cut after ${afterBytes} bytes`).toBe(read)
    }
    expect(proxy.done.cut + proxy.done.reset).toBeGreaterThan(bytes / STRIDE / 2)
  },
)

test('a run whose answer is cut at any byte is started once', async () => {
  const server = await serveAgents()
  onTestFinished(() => server.close())
  const request = { method: 'POST', body: JSON.stringify({ agent: 'clerk', input: 'Look it up' }) }
  const headers = { 'content-type': 'application/json' }
  const faults: { readonly kind: 'cut'; readonly afterBytes: number }[] = []
  const proxy = await through(server.url, () => faults.shift() ?? { kind: 'none' })
  // In the head of the answer: then the request has no answer yet.
  for (let afterBytes = 1; afterBytes <= 100; afterBytes += STRIDE) {
    faults.push({ kind: 'cut', afterBytes })
    const thread = `/api/threads/t${afterBytes}`
    const response = await quickly(`${proxy.url}${thread}/runs`, { ...request, headers })
    expect(response.status).toBe(202)
    const frames = await readFrames(`${server.url}${thread}/events?view=agent`, isEnd)
    const begun = frames.filter(
      ({ event }) => event?.type === 'prompt_started' && event.depth === 0,
    )
    expect(begun, `cut after ${afterBytes} bytes`).toHaveLength(1)
  }
})
