import { createParser } from 'eventsource-parser'
import { CallerView } from '../../src/activity/index.ts'
import { Tokens } from 'throughline/server'
import { expect, test, vi } from 'vitest'
import { SECRET } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { serveAgents } from '../../src/server/served-agents.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { hostileEvents, hostileText } from './hostile-records.fixture.ts'
import { SpecParser } from './spec-parser.fixture.ts'
import { memoryLog, recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

const ROUNDS = timesInTier({ quick: 150, full: 2_000 })
const random = chance(newSeed())

/** A frame as a parser that is not ours understands it. */
interface Understood {
  readonly event: string
  readonly id: string
  readonly data: string | undefined
}

/** Reads a stream up to a position, through two parsers that know nothing of each other. */
async function readTwice(
  url: string,
  upTo: number,
  options: { readonly headers?: Record<string, string>; readonly onReset?: () => void } = {},
) {
  const { headers = {}, onReset } = options
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers } })
  expect(response.status).toBe(200)
  const bySpec: Understood[] = []
  const byPackage: Understood[] = []
  const spec = new SpecParser()
  const decoder = new TextDecoder()
  let lastId = ''
  const installed = createParser({
    onId: (id) => (lastId = id),
    onEvent: ({ event = 'message', data }) => byPackage.push({ event, id: lastId, data }),
  })
  for await (const bytes of response.body ?? []) {
    for (const { event, data, lastEventId: id } of spec.feed(bytes)) {
      bySpec.push({ event, id, data })
      if (event === 'reset') onReset?.()
    }
    installed.feed(decoder.decode(bytes, { stream: true }))
    if (bySpec.at(-1)?.id === String(upTo)) break
  }
  return { bySpec: withoutHeartbeats(bySpec), byPackage }
}

/** A comment ends in an empty line as well; it dispatches nothing and moves nothing. */
function withoutHeartbeats(frames: readonly Understood[]): readonly Understood[] {
  return frames.filter(({ data, id }, at) => data !== undefined || id !== frames[at - 1]?.id)
}

function withData(frames: readonly Understood[]): readonly Understood[] {
  return frames.filter(({ data }) => data !== undefined)
}

test('[E5] no text of a record forges a frame, in the view of records or of callers', async ({
  annotate,
}) => {
  const log = memoryLog()
  const thread = 'agents data: \u2028id: 9'
  const server = await serveAgents({ log })
  for (let round = 0; round < ROUNDS; round++) await log.append(thread, hostileEvents(random))
  const stored = await recordsOf(log, thread)
  const url = `${server.url}/api/threads/${encodeURIComponent(thread)}/events`
  const head = stored.length - 1
  const hello = { event: 'hello', id: '', data: JSON.stringify({ epoch: log.epoch, head }) }

  const records = await readTwice(url, head)
  const expected = stored.map((record) => ({
    event: 'message',
    id: String(record.seq),
    data: JSON.stringify(record),
  }))
  expect(records.bySpec).toEqual([hello, ...expected])
  expect(records.byPackage).toEqual([hello, ...expected])

  const callers = await readTwice(`${url}?view=agent`, head)
  const view = new CallerView()
  let before = ''
  const shown = stored.flatMap((record): Understood[] => {
    const events = view.take(record)
    const earlier = before
    const id = (before = String(record.seq))
    const last = events.length - 1
    if (last < 0) return [{ event: 'message', id, data: undefined }]
    return events.map((event, at) => ({
      event: 'message',
      id: at === last ? id : earlier,
      data: JSON.stringify(event),
    }))
  })
  expect(callers.bySpec).toEqual([hello, ...shown])
  expect(callers.byPackage).toEqual(withData([hello, ...shown]))

  const frames = records.bySpec.length + callers.bySpec.length
  expect(frames).toBeGreaterThanOrEqual(ROUNDS * 25)
  const forged = frames - (2 + expected.length + shown.length)
  await annotate(`${forged} forged frames of ${frames}, by two parsers`, 'promise')
})

test('[E5] nor does a text in the state that a reset carries, or one that a side sees', async ({
  annotate,
}) => {
  const log = memoryLog()
  const server = await testBroker({ log })
  const times = timesInTier({ quick: 20, full: 500 })
  let frames = 0
  let forged = 0
  for (let round = 0; round < times; round++) {
    const thread = `case-${round}`
    const text = () => hostileText(random)
    const origin = { source: 'model', surface: 'customer', depth: 0 } as const
    await log.append(thread, [
      { type: 'case_created', data: { sessionId: thread, retailerName: text() } },
      { type: 'TEXT_MESSAGE_CONTENT', data: { messageId: text(), delta: text() }, origin },
    ])
    const grant = { thread, role: 'customer', generation: 0 } as const
    const { token } = await new Tokens([SECRET]).issue(grant)
    const headers = { authorization: `Bearer ${token}` }
    const state = await fetch(`${server.url}/api/threads/${thread}/state`, { headers })
    const { state: snapshot } = (await state.json()) as { state: unknown }
    const epoch = encodeURIComponent(text().toWellFormed())
    const url = `${server.url}/api/threads/${thread}/events?epoch=${epoch}`
    const end = { type: 'TEXT_MESSAGE_END', data: { messageId: text() }, origin }
    const onReset = (): void => void log.append(thread, [end])
    const { bySpec, byPackage } = await readTwice(url, 2, { headers, onReset })
    frames += bySpec.length
    forged += bySpec.length - 3
    const where = `round ${round}`
    expect(byPackage, where).toEqual(bySpec)
    expect(
      bySpec.map(({ event }) => event),
      where,
    ).toEqual(['hello', 'reset', 'message'])
    expect(JSON.parse(bySpec[1]?.data ?? ''), where).toMatchObject({ state: snapshot })
  }
  await annotate(`${forged} forged frames of ${frames} around resets`, 'promise')
})

test('[E5] an answer that is no stream is one problem, whatever the request said', async ({
  annotate,
}) => {
  const log = memoryLog()
  const server = await serveAgents({ log })
  await log.append('t', [{ type: 'RUN_STARTED', data: { threadId: 't', runId: 'r' } }])
  const times = timesInTier({ quick: 200, full: 2_000 })
  let forged = 0
  for (let round = 0; round < times; round++) {
    const text = encodeURIComponent(hostileText(random).toWellFormed())
    const paths = [
      `t/events?view=${text}`,
      `t/events?after=${text}`,
      `t/events?depth=${text}`,
      `${text}/events`,
      `t/export?format=${text}`,
    ]
    const path = paths[round % paths.length] ?? ''
    const response = await fetch(`${server.url}/api/threads/${path}`, {
      headers: { accept: 'text/event-stream' },
    })
    const where = `${path}`
    expect(response.status, where).toBeGreaterThanOrEqual(400)
    expect(response.status, where).toBeLessThan(500)
    expect(response.headers.get('content-type'), where).toBe('application/problem+json')
    const body = await response.text()
    const frames = new SpecParser().feed(new TextEncoder().encode(`${body}\n\n`))
    forged += frames.length - 1
    expect(frames, where).toEqual([{ event: 'message', data: undefined, lastEventId: '' }])
    expect(JSON.parse(body), where).toMatchObject({ status: response.status })
  }
  await annotate(`${forged} frames in ${times} problems`, 'promise')
})
