import { expect, test } from 'vitest'
import { agentEvent } from '../../activity/index.ts'
import { runFinished, says } from '../../activity/turn-records.fixture.ts'
import { defineAgent } from '../../agents/index.ts'
import { calling, replies, withAgents } from '../../agents/runs.fixture.ts'
import type { Json } from '../../json/index.ts'
import { scriptedModel } from '../../models/index.ts'
import { readFrames } from './stock-client.fixture.ts'
import { joinText, turnText } from './streams.fixture.ts'
import { guide, notes } from './threads.fixture.ts'
import { TURN, agent, custom, eventsOfTurn, person, startedBy, typesOf } from './turns.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

test('[E007] a run has the client’s id, our version and the new messages, which are not streamed again', async () => {
  const log = memoryLog()
  const opening = [
    startedBy('client-run'),
    ...says(person, 'm-1', 'Hello'),
    ...says(person, 'm-2', '?'),
  ]
  await log.append('t', [...opening, ...says(agent, 'm-3', 'Hi'), runFinished(agent, 'success')])
  const events = await eventsOfTurn(log, { turn: TURN })
  expect(events[0]).toMatchObject({
    type: 'RUN_STARTED',
    threadId: 't',
    runId: 'client-run',
    protocolVersion: '1.0',
    input: {
      threadId: 't',
      runId: 'client-run',
      messages: [
        { id: 'm-1', role: 'user', content: 'Hello' },
        { id: 'm-2', role: 'user', content: '?' },
      ],
      tools: [],
      context: [],
    },
  })
  expect(events[1]).toMatchObject({ type: 'STATE_SNAPSHOT' })
  expect(typesOf(events).slice(2)).toEqual([
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ])
  expect(events.at(-1)).toMatchObject({ runId: 'client-run', outcome: { type: 'success' } })
  const before = await eventsOfTurn(log, { turn: TURN, protocol: 'before-1.0' })
  expect(before).toEqual(events)
})

test('the result that a run of another server gave ends the run here, too', async () => {
  const log = memoryLog()
  const result = { paid: [1, 2] }
  const outcome = { type: 'success' as const }
  const finished = { threadId: 't', runId: TURN, outcome, result }
  const end = agentEvent('RUN_FINISHED', finished, agent)
  await log.append('t', [startedBy('client-run'), ...says(person, 'm-1', 'Hello'), end])
  const events = await eventsOfTurn(log, { turn: TURN })
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'client-run', result })
})

test('a turn that is handed over is one run, with the usage of all its runs', async () => {
  const b = defineAgent({ name: 'B', model: scriptedModel(() => 'I am B') })
  const a = defineAgent({
    name: 'A',
    model: replies({ text: 'I am A', ...calling(['handoff_to_b', { message: 'go on' }]) }),
    handoffs: [b],
  })
  const { ask, log } = withAgents([a])
  const { usage } = await ask('Go').result
  const events = await eventsOfTurn(log)
  expect(typesOf(events).filter((type) => type.startsWith('RUN_'))).toEqual([
    'RUN_STARTED',
    'RUN_FINISHED',
  ])
  expect(custom(events, 'handoff')).toEqual([{ from: 'A', to: 'B' }])
  const { inputTokens, outputTokens } = usage.total
  expect(events.at(-1)).toMatchObject({ usage: [{ inputTokens, outputTokens }] })
})

test('[E035] [E036] domain events and refusals are CUSTOM events; what lies between runs is in the next state', async () => {
  const { ask, gate, log } = withAgents([guide()], { domain: notes })
  const origin = { source: 'remote', depth: 0 } as const
  const propose = (id: string, type: string, data: Json) =>
    gate.commit('t', [{ id: `0190b6f0-0000-7000-8000-00000000000${id}`, type, data, origin }])
  await propose('1', 'noted', { text: 'before' })
  const turn = ask('Go')
  for await (const { type } of turn) {
    if (type !== 'prompt_started') continue
    await propose('2', 'noted', { text: 'during' })
    await propose('3', 'noted', { text: 5 })
  }
  await turn.result
  const events = await eventsOfTurn(log)
  expect(events.find(({ type }) => type === 'STATE_SNAPSHOT')).toMatchObject({
    snapshot: { notes: ['before'] },
  })
  const happened = { type: 'noted', data: { text: 'during' } }
  expect(custom(events, 'event')).toMatchObject([happened])
  expect(custom(events, 'event_refused')).toMatchObject([{ type: 'noted' }])
  const at = events.findIndex(({ name }) => name === 'throughline.event')
  expect(events[at + 1]).toMatchObject({
    type: 'STATE_DELTA',
    delta: [{ op: 'add', path: '/notes/1', value: 'during' }],
  })
  // Notes of the engine for itself are no events of a client.
  const names = events.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  expect(new Set(names)).toEqual(new Set(['throughline.event', 'throughline.event_refused']))
})

test('[E010] a failed run ends with its error', async () => {
  const model = scriptedModel(() => ({ fail: new Error('overloaded') }))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model })])
  await ask('Go').result
  expect((await eventsOfTurn(log)).at(-1)).toMatchObject({
    type: 'RUN_ERROR',
    message: expect.any(String),
    code: expect.any(String),
  })
})

test('[E033] [E044] a foreign event goes through unchanged, but not to a role that may not see it', async () => {
  const log = memoryLog()
  const rawEvent = { from: 'elsewhere' }
  await log.append('t', [
    startedBy('r-1'),
    agentEvent('RAW', { event: { any: ['thing'] }, source: 'acme' }, agent),
    agentEvent('CUSTOM', { name: 'acme.ping', value: 1 }, agent),
    { ...agentEvent('STEP_STARTED', { stepName: 's' }, agent), data: { stepName: 's', rawEvent } },
    agentEvent('STEP_FINISHED', { stepName: 's' }, agent),
    runFinished(agent, 'success'),
  ])
  const seen = await eventsOfTurn(log, { turn: TURN })
  expect(seen).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'RAW', event: { any: ['thing'] }, source: 'acme' }),
      expect.objectContaining({ type: 'CUSTOM', name: 'acme.ping', value: 1 }),
      expect.objectContaining({ type: 'STEP_STARTED', rawEvent }),
    ]),
  )
  const text = await turnText(log, { turn: TURN, role: 'guest' })
  expect(text).not.toMatch(/elsewhere|acme/)
})

test('a stream waits for its turn, and follows it live to its end', async () => {
  const log = memoryLog()
  const read: string[] = []
  const told = (text: string): void => {
    read.push(...typesOf(readFrames(text).map((each) => each.event)))
  }
  const reading = turnText(log, { turn: TURN, told })
  await log.append('t', [startedBy('r-1'), ...says(person, 'm-1', 'Hello')])
  await log.append('t', says(agent, 'm-2', 'Hi'))
  await expect.poll(() => read).toContain('TEXT_MESSAGE_END')
  expect(read).not.toContain('RUN_FINISHED')
  await log.append('t', [runFinished(agent, 'success')])
  expect(readFrames(await reading).at(-1)?.event).toMatchObject({
    type: 'RUN_FINISHED',
    runId: 'r-1',
  })
})

test('the text of a failed attempt is marked, live and for a client that joins, and its retry’s is not', async () => {
  const overloaded = new Error('overloaded')
  const model = replies({ text: 'I tr', fail: overloaded }, 'I did it.')
  const { ask, log } = withAgents([defineAgent({ name: 'A', model })])
  await ask('Go').result
  const failed = { metadata: { throughline: { failed: 'provider' } } }
  const ends = (await eventsOfTurn(log)).filter(({ type }) => type === 'TEXT_MESSAGE_END')
  expect(ends).toMatchObject([failed, {}])
  expect(ends[1]).not.toHaveProperty('metadata')
  const frames = readFrames(await joinText(log))
  const snapshot = frames.find(({ event }) => event.type === 'MESSAGES_SNAPSHOT')?.event
  expect(snapshot?.['messages']).toMatchObject([
    { content: 'Go' },
    { content: 'I tr', ...failed },
    { content: 'I did it.' },
  ])
})
