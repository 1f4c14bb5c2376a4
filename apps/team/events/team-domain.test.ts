import { open } from 'throughline'
import { expect, test } from 'vitest'
import { defineTeam } from '../definition.ts'
import { PAYLOADS, TEAM_THREAD, WAITING_MAX, flatEvent } from './index.ts'

const START = { sessionId: 'team-2026-11-23-1', pid: 1, model: 'claude', demoMode: false }
const MESSAGE = { text: 'Hello', speakerName: 'Human', targetAgent: null }

interface Proposed {
  readonly as: 'process' | 'ui' | 'system'
  readonly type: string
  readonly data: unknown
}

async function after(...proposals: readonly Proposed[]) {
  const app = defineTeam()
  const throughline = await open({ store: 'memory:', apps: [app] })
  const opened = throughline.app(app)
  const records = []
  for (const { as: source, ...event } of proposals) {
    const commit = await opened.propose(TEAM_THREAD, [event], { as: { source } })
    records.push(...commit.records)
  }
  const { state } = await opened.gate.state(TEAM_THREAD)
  await throughline.close()
  return { records, state, events: records.map(flatEvent) }
}

const start: Proposed = { as: 'system', type: 'session_start', data: START }
const end: Proposed = {
  as: 'system',
  type: 'session_end',
  data: { exitCode: 0, reason: 'user_ended' },
}
const message: Proposed = { as: 'ui', type: 'user_message', data: MESSAGE }
const registered = (agent: object): Proposed => ({
  as: 'process',
  type: 'agent_registered',
  data: { agent },
})
const status = (...agents: readonly object[]): Proposed => ({
  as: 'process',
  type: 'agent_status',
  data: { agents },
})

test('[D066] there are 21 stored types, and the heartbeat makes 22', () => {
  expect(Object.keys(PAYLOADS)).toHaveLength(21)
})

test('[D017] [D018] [D019] [D020] [D129] every event has an id, a time, its session and a type', async () => {
  const { events } = await after(start, message, end, {
    as: 'system',
    type: 'server_error',
    data: { message: 'Late', code: 'unknown' },
  })
  expect(events.map((event) => event?.id)).toEqual([0, 1, 2, 3])
  expect(events.map((event) => event?.sessionId)).toEqual([...Array(3).fill(START.sessionId), null])
  expect(events.every((event) => (event?.ts ?? 0) > 1_600_000_000_000)).toBe(true)
  expect(events[1]).toMatchObject({ type: 'user_message', ...MESSAGE })
})

test('[D044] a registration gets defaults for its missing members', async () => {
  const { events, state } = await after(start, registered({ name: 'Lyra', gridPosition: 0 }))
  expect(events[1]).toMatchObject({
    agent: {
      name: 'Lyra',
      gridPosition: 0,
      color: '#c9b1e8',
      colorName: 'lilac',
      gender: 'man',
      faceVariant: { eyes: expect.any(String), mouth: expect.any(String) },
      individuationArtifact: '',
      createdAt: expect.stringMatching(/^\d{4}-/),
    },
  })
  expect(state.agents['0']).toMatchObject({ status: 'alive', lastSessionId: START.sessionId })
})

test('[D136] [D045] position 9, the lead’s position and half a position are refused', async () => {
  const wrong = [9, 4, 1.5, undefined].map((gridPosition) =>
    registered({ name: 'Lyra', gridPosition }),
  )
  const { records, state } = await after(start, ...wrong, registered({ gridPosition: 1 }))
  expect(records.slice(1).map(({ type }) => type)).toEqual(Array(5).fill('event_refused'))
  expect(state.agents).toEqual({})
})

test('[D119] [D046] alive and idle are awake, shutdown and what a report omits sleep', async () => {
  const one = { name: 'Lyra', gridPosition: 0 }
  const two = { name: 'Orion', gridPosition: 1 }
  const three = { name: 'Vega', gridPosition: 2 }
  const { state } = await after(
    start,
    ...[one, two, three].map(registered),
    status({ ...one, status: 'idle' }, { ...two, status: 'shutdown' }),
  )
  const statuses = Object.values(state.agents).map((agent) => agent.status)
  expect(statuses).toEqual(['alive', 'sleeping', 'sleeping'])
})

test('a report of an agent that is unknown adds it', async () => {
  const { state } = await after(start, status({ name: 'Lyra', gridPosition: 3, status: 'alive' }))
  expect(state.agents['3']).toMatchObject({ name: 'Lyra', status: 'alive', color: '#007e98' })
})

test('[D109] the end of a session puts every agent to sleep', async () => {
  const { state } = await after(start, registered({ name: 'Lyra', gridPosition: 0 }), end)
  expect(state.agents['0']?.status).toBe('sleeping')
  expect(state.session).toBeNull()
})

test('a message waits until a result answers it', async () => {
  const { records, state } = await after(start, message, message)
  expect(state.waiting.map(({ id }) => id)).toEqual(records.slice(1).map(({ id }) => id))
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheCreationTokens: 0 }
  const answered = { subtype: 'success', numTurns: 1, costUsd: 0.5, usage, resultText: '' }
  const id = '018f0000-0000-7000-8000-000000000001'
  const done = await after(start, { ...message, id } as Proposed, {
    as: 'process',
    type: 'claude_result',
    data: { ...answered, answers: [id] },
  })
  expect(done.state.waiting).toEqual([])
  expect(done.state.usage).toMatchObject({ turns: 1, costUsd: 0.5 })
})

test('without a session, and when a hundred messages wait, one more is refused', async () => {
  const refusedWithout = await after(message)
  expect(refusedWithout.records[0]).toMatchObject({
    type: 'event_refused',
    data: { reason: 'precondition' },
  })
  const many = await after(start, ...Array<Proposed>(WAITING_MAX + 1).fill(message))
  expect(many.records.at(-1)).toMatchObject({ type: 'event_refused', data: { reason: 'limit' } })
})

test('a page cannot say what the program said', async () => {
  const { records } = await after(start, { ...status(), as: 'ui' })
  expect(records[1]).toMatchObject({ data: { reason: 'not_authorised' } })
})

test('an agent has one job', async () => {
  const job = (id: string): Proposed => ({
    as: 'ui',
    type: 'job_saved',
    data: { id: `018f0000-0000-7000-8000-00000000000${id}`, name: 'Cook', assignedAgent: 'Lyra' },
  })
  const { records } = await after(job('1'), job('1'), job('2'))
  expect(records.map(({ type }) => type)).toEqual(['job_saved', 'job_saved', 'event_refused'])
})

test('no agent registers under the name of the lead', () => {
  const agent = (name: string) => ({ agent: { name, gridPosition: 7 } })
  expect(PAYLOADS.agent_registered.safeParse(agent('Lyra')).success).toBe(true)
  expect(PAYLOADS.agent_registered.safeParse(agent('Julian')).success).toBe(false)
})
