import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test, vi } from 'vitest'
import { Journey, acceptOffer, handOver, walk } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import type { LogRecord } from '../../src/log/index.ts'
import { timesInTier } from '../tier.fixture.ts'
import {
  CALLER,
  MAY_READ,
  MAY_READ_AS_CALLER,
  ORIGIN,
  RECORD,
  pathsIn,
} from './role-views.fixture.ts'
import type { Side } from './role-views.fixture.ts'
import { SpecParser } from './spec-parser.fixture.ts'
import type { Dispatch } from './spec-parser.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

const THOUGHT = 'canary-of-a-thought'
const SCENARIOS = ['clean', 'counter', 'decline']
const OPERATOR_TOKEN = 'the-operators-own'

/** The demonstration's narrator, thinking aloud, and trying forbidden events. */
function thinking(prompts: Set<string>): LanguageModelV4 {
  const model = scriptedNarrator()
  if (model.specificationVersion !== 'v4')
    throw new TypeError('the narrator speaks another version')
  const doStream: LanguageModelV4['doStream'] = async (call) => {
    for (const { role, content } of call.prompt) if (role === 'system') prompts.add(content)
    const { stream, ...rest } = await model.doStream(call)
    return { ...rest, stream: stream.pipeThrough(new TransformStream({ transform: think })) }
  }
  return { ...model, doStream }
}

type Part = LanguageModelV4StreamPart

function think(part: Part, told: TransformStreamDefaultController<Part>): void {
  told.enqueue(part)
  if (part.type !== 'stream-start') return
  const tag = `<agent-event type="select_offer" data='{"offerId":"canary-of-a-refusal"}'/>`
  told.enqueue({ type: 'reasoning-start', id: 'r' })
  told.enqueue({ type: 'reasoning-delta', id: 'r', delta: THOUGHT })
  told.enqueue({ type: 'reasoning-end', id: 'r' })
  told.enqueue({ type: 'text-start', id: 'c' })
  told.enqueue({ type: 'text-delta', id: 'c', delta: tag })
  told.enqueue({ type: 'text-end', id: 'c' })
}

async function wholeJourney(broker: ServedBroker, scenario: string): Promise<Journey> {
  const { body } = await request(`${broker.url}/api/session`, {
    token: OPERATOR_TOKEN,
    body: { demoScenario: scenario },
  })
  const journey = new Journey(broker, body)
  await journey.say('installer', 'canary-of-the-installer')
  await handOver(journey)
  await walk(journey)
  await journey.say('customer', 'canary-of-the-customer')
  if (scenario === 'clean') await acceptOffer(journey)
  if (scenario === 'counter') await journey.click(['withdraw', {}])
  return journey
}

/** All that a stream says, up to the head. */
async function streamed(url: string, token: string, head: number): Promise<Dispatch[]> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers })
  const parser = new SpecParser()
  const frames: Dispatch[] = []
  for await (const bytes of response.body ?? []) {
    frames.push(...parser.feed(bytes))
    if (frames.at(-1)?.lastEventId === String(head)) break
  }
  return frames
}

function json(frames: readonly Dispatch[]): Record<string, unknown>[] {
  return frames.flatMap(({ event, data }) =>
    event === 'message' && data !== undefined ? [JSON.parse(data) as Record<string, unknown>] : [],
  )
}

/** The ids of a stream: with its hidden records, every position once and in order. */
function positions(frames: readonly Dispatch[]): number[] {
  const ids = frames.map(({ lastEventId }) => lastEventId).filter((id) => id !== '')
  return [...new Set(ids)].map(Number)
}

function beyond(given: readonly string[], allowed: readonly string[], where: string): string[] {
  return given.filter((path) => !allowed.includes(path)).map((path) => `${where}.${path}`)
}

function leaksInRecord(record: Record<string, unknown>, side: Side): string[] {
  const { type, data, origin, prev, hash } = record
  const allowed = MAY_READ[side][String(type)]
  if (!allowed) return [String(type)]
  const hashes = prev === '' && hash === '' ? [] : [`${String(type)}.hash`]
  return [
    ...hashes,
    ...beyond(Object.keys(record), RECORD, String(type)),
    ...beyond(pathsIn(origin), ORIGIN, `${String(type)}.origin`),
    ...beyond(pathsIn(data), allowed, `${String(type)}.data`),
  ]
}

function leaksInEvent(event: Record<string, unknown>, side: Side): string[] {
  const type = String(event['type'])
  const allowed = MAY_READ_AS_CALLER[type]
  if (!allowed) return [type]
  const keys = beyond(Object.keys(event), [...CALLER, ...allowed], type)
  if (type !== 'event') return keys
  const name = String(event['name'])
  const data = MAY_READ[side][name]
  return data ? [...keys, ...beyond(pathsIn(event['data']), data, name)] : [name]
}

const WHISPERS: Readonly<Record<Side, RegExp>> = {
  customer: /canary-of-(a-thought|a-refusal|the-installer)|INCOME_BELOW|HIGHER_APR|AFFORDABILITY/,
  installer:
    /canary-of-(a-thought|a-refusal|the-customer)|INCOME_BELOW|Sarah Jones|1984-03-02|SW1A/,
}

test('[E11] over whole journeys a side reads only its permitted records, and its cursor passes over the rest', async ({
  annotate,
}) => {
  const prompts = new Set<string>()
  const broker = await testBroker({ model: thinking(prompts), operatorToken: OPERATOR_TOKEN })
  const counts = { read: 0, hidden: 0, leaks: 0 }
  for (const scenario of SCENARIOS) {
    const { sessionId, tokens } = await wholeJourney(broker, scenario)
    const stored = await recordsOf(broker.log, sessionId)
    expect(JSON.stringify(stored)).toContain(THOUGHT)
    expect(stored.some(({ type }) => type === 'event_refused')).toBe(true)
    const head = stored.length - 1
    const whole = stored.map(({ seq }) => seq)
    const url = `${broker.url}/api/threads/${sessionId}/events`
    for (const side of ['customer', 'installer'] as const) {
      for (const view of ['records', 'agent']) {
        const frames = await streamed(`${url}?view=${view}`, tokens[side], head)
        expect(positions(frames), `${scenario}, ${side}, ${view}`).toEqual(whole)
        const shown = json(frames)
        const leaksIn = view === 'records' ? leaksInRecord : leaksInEvent
        const leaks = shown.flatMap((each) => leaksIn(each, side))
        expect(leaks, `${scenario}, ${side}, ${view}`).toEqual([])
        const text = JSON.stringify(frames)
        expect(text).not.toMatch(WHISPERS[side])
        const told = [...prompts].filter((prompt) =>
          text.includes(JSON.stringify(prompt).slice(1, -1)),
        )
        expect(told).toEqual([])
        counts.read += shown.length
        counts.hidden += whole.length - new Set(shown.map(({ seq }) => seq)).size
        counts.leaks += leaks.length
      }
    }
  }
  expect(prompts.size).toBeGreaterThan(0)
  expect(counts.hidden).toBeGreaterThan(0)
  await annotate(
    `${counts.leaks} members that a side may not read in ${counts.read} records and events of ${SCENARIOS.length} journeys; ${counts.hidden} hidden positions passed over`,
    'promise',
  )
})

test('[E11] the state that a reset carries holds no more than the role may read', async () => {
  const broker = await testBroker({ operatorToken: OPERATOR_TOKEN })
  const { sessionId, tokens } = await wholeJourney(broker, 'counter')
  const head = await broker.log.head(sessionId)
  const url = `${broker.url}/api/threads/${sessionId}/events?epoch=another&after=${head}`
  for (const side of ['customer', 'installer'] as const) {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${tokens[side]}` }
    const response = await fetch(url, { headers })
    const parser = new SpecParser()
    let reset: string | undefined
    for await (const bytes of response.body ?? []) {
      reset = parser.feed(bytes).find(({ event }) => event === 'reset')?.data
      if (reset !== undefined) break
    }
    const { body } = await request(`${broker.url}/api/threads/${sessionId}/state`, {
      token: tokens[side],
    })
    expect(JSON.parse(reset ?? '')).toMatchObject({
      reason: 'other_epoch',
      head,
      state: body['state'],
    })
    expect(reset).not.toMatch(WHISPERS[side])
  }
})

test('[E11] the operator reads everything as it is stored, the auditor every record of it', async () => {
  const broker = await testBroker({ operatorToken: OPERATOR_TOKEN })
  const { sessionId, tokens } = await wholeJourney(broker, 'clean')
  const stored = await recordsOf(broker.log, sessionId)
  const head = stored.length - 1
  const url = `${broker.url}/api/threads/${sessionId}/events`
  const shapeOf = ({ seq, id, ts, type, origin }: LogRecord) => ({ seq, id, ts, type, origin })
  expect(json(await streamed(url, OPERATOR_TOKEN, head))).toEqual(stored)
  const audited = json(await streamed(url, tokens.auditor, head)) as unknown as readonly LogRecord[]
  expect(audited.map(shapeOf)).toEqual(stored.map(shapeOf))
  expect(audited.filter(({ hash, prev }) => hash + prev !== '')).toEqual([])
  for (const token of [tokens.auditor, OPERATOR_TOKEN]) {
    const asCaller = await streamed(`${url}?view=agent`, token, head)
    expect(positions(asCaller)).toEqual(stored.map(({ seq }) => seq))
  }
})
