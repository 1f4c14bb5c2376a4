import { afterEach, beforeEach, expect, test } from 'vitest'
import { subscribe } from 'throughline/client'
import type { ThreadUpdate } from 'throughline/client'
import { scriptedNarrator } from '../narrator/index.ts'
import { Journey, handOver } from './journey.fixture.ts'
import { serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'

let broker: ServedBroker
let journey: Journey

beforeEach(async () => {
  broker = await serveBroker({ model: scriptedNarrator({ chunkDelayMs: 5 }) })
  journey = await Journey.start(broker)
  await handOver(journey)
})

afterEach(() => broker.close())

const eventsUrl = () => `${broker.url}/api/threads/${journey.sessionId}/events`

function open(headers: Record<string, string> = {}, query = '') {
  const authorization = `Bearer ${journey.tokens.customer}`
  const accept = 'text/event-stream'
  return fetch(`${eventsUrl()}${query}`, { headers: { authorization, accept, ...headers } })
}

/** The frames of a stream until one fits; then the stream is left. */
async function framesUntil(response: Response, fits: (frame: string) => boolean) {
  const frames: string[] = []
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    frames.push(...parts)
    if (frames.some(fits)) break
  }
  return frames
}

test('[surfaces 3] a stream opens with retry and an id-less hello that names epoch and head', async () => {
  const head = await broker.log.head(journey.sessionId)
  const frames = await framesUntil(await open(), (frame) => frame.includes(`id: ${head}`))
  expect(frames[0]).toBe(
    `retry: 500\nevent: hello\ndata: ${JSON.stringify({ epoch: broker.log.epoch, head })}`,
  )
})

test('[D086] [D087] the larger of ?after and Last-Event-ID wins', async () => {
  const head = await broker.log.head(journey.sessionId)
  for (const [header, query] of [
    [head - 1, 0],
    [0, head - 1],
  ]) {
    const response = await open({ 'last-event-id': String(header) }, `?after=${query}`)
    const frames = await framesUntil(response, (frame) => frame.startsWith('id:'))
    expect(frames[1]).toMatch(new RegExp(`^id: ${head}\\b`))
  }
})

test('[A032] [A034] [E014] text arrives while it is being said, in order, and ends up as the transcript', async () => {
  const deltas: string[] = []
  const updates = subscribe({
    url: eventsUrl(),
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
