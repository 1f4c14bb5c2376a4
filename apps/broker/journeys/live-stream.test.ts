import { afterEach, beforeEach, expect, test } from 'vitest'
import { subscribe } from 'throughline/client'
import type { ThreadUpdate } from 'throughline/client'
import { scriptedNarrator } from '../narrator/index.ts'
import { CUSTOMER_STEPS, Journey, handOver } from './journey.fixture.ts'
import { recordsOf, serveBroker } from './served-broker.fixture.ts'
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

test('a stream opens with retry and an id-less hello that names epoch and head', async () => {
  const head = await broker.log.head(journey.sessionId)
  const frames = await framesUntil(await open(), (frame) => frame.includes(`id: ${head}`))
  expect(frames[0]).toBe(
    `retry: 500\nevent: hello\ndata: ${JSON.stringify({ epoch: broker.log.epoch, head })}`,
  )
})

test('[E11] a hidden record is a frame with an id only, so the cursor still moves', async () => {
  const head = await broker.log.head(journey.sessionId)
  const frames = await framesUntil(await open(), (frame) => frame.includes(`id: ${head}`))
  const ids = frames.flatMap((frame) => /^id: (\d+)/m.exec(frame)?.[1] ?? []).map(Number)
  expect(ids).toEqual(Array.from({ length: head + 1 }, (_, seq) => seq))
  expect(frames.filter((frame) => /^id: \d+$/.test(frame)).length).toBeGreaterThan(3)
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

test.each(['abc', '-2', '1.5', 'NaN', '1e3', '9'.repeat(1_000), '0x1', ' '])(
  '[E2] the cursor %s is refused',
  async (cursor) => {
    const response = await open({}, `?after=${encodeURIComponent(cursor)}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_cursor' })
  },
)

test.each([
  ['future', '?after=100000'],
  ['other_epoch', '?after=1&epoch=another'],
])('[E2] a cursor of the kind %s gets a reset with the state', async (reason, query) => {
  const frames = await framesUntil(await open({}, query), (frame) => frame.includes('reset'))
  const data: unknown = JSON.parse(/^data: (.*)$/m.exec(frames[1] ?? '')?.[1] ?? '')
  expect(data).toMatchObject({
    reason,
    epoch: broker.log.epoch,
    state: { status: expect.any(String) },
  })
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

test('[E6] [L7] a subscriber misses no record when the server restarts during a journey', async () => {
  const seen: number[] = []
  const port = new URL(broker.url).port
  const updates = subscribe({
    url: eventsUrl(),
    headers: () => ({ authorization: `Bearer ${journey.tokens.customer}` }),
    sleep: () => new Promise((resolve) => setTimeout(resolve, 5)),
  })
  const reading = (async () => {
    for await (const update of updates) {
      if (update.type === 'record') seen.push(update.record.seq)
      if (update.type === 'cursor') seen.push(update.seq)
    }
  })()
  await CUSTOMER_STEPS[0]?.(journey)
  const { log } = broker
  await broker.close()
  broker = await serveBroker({ log, port: Number(port) })
  journey.broker = broker
  await CUSTOMER_STEPS[1]?.(journey)
  const all = (await recordsOf(log, journey.sessionId)).map(({ seq }) => seq)
  await expect.poll(() => seen).toEqual(all)
  await updates.return?.()
  await reading
})
