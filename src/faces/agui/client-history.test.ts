import type { Message } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { customEvent } from '../../activity/index.ts'
import {
  answers,
  calls,
  asks,
  runFinished,
  runStarted,
  says,
  topOrigin,
} from '../../activity/turn-records.fixture.ts'
import { membersOf } from '../../json/index.ts'
import { applied, readFrames } from './stock-client.fixture.ts'
import { turnText } from './streams.fixture.ts'
import {
  TURN_2,
  TURN_3,
  agent,
  eventsOfTurn,
  person,
  startedBy,
  typesOf,
  waitData,
} from './turns.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const USER: Message = { id: 'm-1', role: 'user', content: 'Hello' }
const REPLY: Message = { id: 'm-2', role: 'assistant', content: 'Hi' }
const NEXT: Message = { id: 'm-3', role: 'user', content: 'And now?' }

async function twoTurns(wire: { readonly history?: string } = {}) {
  const log = memoryLog()
  await log.append('t', [
    startedBy('r-1'),
    ...says(person, 'm-1', 'Hello'),
    ...says(agent, 'm-2', 'Hi'),
    runFinished(agent, 'success'),
  ])
  const second = topOrigin({ agent: 'A' }, TURN_2)
  await log.append('t', [
    startedBy('r-2', second, wire),
    ...says({ ...second, source: 'ui' }, 'm-3', 'And now?'),
    ...says(second, 'm-4', 'Now this'),
    runFinished(second, 'success'),
  ])
  return log
}

test('a client that holds the thread’s messages gets no snapshot of them', async () => {
  const events = await eventsOfTurn(await twoTurns(), {
    turn: TURN_2,
    history: [{ id: 's', role: 'system', content: 'Be kind' }, USER, REPLY, NEXT],
  })
  expect(typesOf(events)).not.toContain('MESSAGES_SNAPSHOT')
})

test.each<[string, readonly Message[]]>([
  ['nothing', [NEXT]],
  ['an old text', [USER, { ...REPLY, content: 'Hm' } as Message, NEXT]],
  ['a message too much', [USER, REPLY, { id: 'x', role: 'assistant', content: '?' }, NEXT]],
  ['the answer in part', [USER, REPLY, NEXT, { id: 'm-4', role: 'assistant', content: 'Now' }]],
  ['a thought of the answer', [USER, NEXT, { id: 'm-5', role: 'reasoning', content: 'Hm' }]],
])('[E032] a client that holds %s gets the thread’s messages', async (_what, history) => {
  const events = await eventsOfTurn(await twoTurns(), { turn: TURN_2, history })
  expect(typesOf(events)[1]).toBe('MESSAGES_SNAPSHOT')
  const client = await applied(events, { messages: history, state: {} })
  const spoken = client.messages.filter(({ role }) => role !== 'reasoning')
  expect(spoken).toEqual([USER, REPLY, NEXT, { id: 'm-4', role: 'assistant', content: 'Now this' }])
  for (const { role, content } of client.messages)
    if (role === 'reasoning') expect(content).toBe('')
})

test('a snapshot keeps the result that the client has just given', async () => {
  const log = memoryLog()
  const second = topOrigin({ agent: 'A' }, TURN_2)
  const finished = runFinished(agent, 'success')
  await log.append('t', [
    startedBy('r-1'),
    ...calls(agent, 'c-1'),
    { ...asks(agent, 'w-1', 'c-1'), data: waitData('w-1', 'c-1', 'client_tool') },
    {
      ...finished,
      data: {
        ...membersOf(finished.data),
        outcome: { type: 'success', pendingToolCallIds: ['c-1'] },
      },
    },
    { ...runStarted(second, ['w-1']), id: TURN_2 },
    answers(second, 'c-1'),
    ...says(second, 'm-2', 'Thanks'),
    runFinished(second, 'success'),
  ])
  const given: Message = { id: 'given', role: 'tool', toolCallId: 'c-1', content: 'Paris' }
  const events = await eventsOfTurn(log, { turn: TURN_2, history: [given] })
  const { messages } = await applied(events, { messages: [given], state: {} })
  expect(messages.map(({ role, id }) => [role, id])).toEqual(
    expect.arrayContaining([
      ['tool', 'given'],
      ['assistant', 'c-1_message'],
    ]),
  )
  expect(messages).toHaveLength(3)
})

test('[E032] messages that the thread’s agents forgot are withdrawn', async () => {
  const log = await twoTurns()
  const third = topOrigin({ agent: 'A' }, TURN_3)
  await log.append('t', [
    customEvent('history_reset', {}, { source: 'ui', depth: 0 }),
    startedBy('r-3', third),
    ...says({ ...third, source: 'ui' }, 'm-9', 'Hello?'),
    runFinished(third, 'success'),
  ])
  const asked: Message = { id: 'm-9', role: 'user', content: 'Hello?' }
  const history = [USER, REPLY, NEXT, asked]
  const events = await eventsOfTurn(log, { turn: TURN_3, history })
  expect((await applied(events, { messages: history, state: {} })).messages).toEqual([asked])
})

test('a client that goes on with other messages than the run began with gets the thread’s, wherever it goes on', async () => {
  const log = await twoTurns({ history: 'those of the request' })
  const asked = { turn: TURN_2, history: [USER, REPLY, NEXT] }
  const whole = readFrames(await turnText(log, { ...asked, historyDigest: 'those of the request' }))
  for (const [at, { id }] of whole.entries()) {
    const same = { ...asked, after: id, historyDigest: 'those of the request' }
    expect(readFrames(await turnText(log, same))).toEqual(whole.slice(at + 1))
    const others = { after: id, history: [NEXT], historyDigest: 'others' }
    const rest = readFrames(await turnText(log, { turn: TURN_2, ...others }))
    const types = rest.map(({ event }) => event.type)
    if (at < whole.length - 1) expect(types).toContain('MESSAGES_SNAPSHOT')
    const opened = whole.slice(0, at + 1).map(({ event }) => event)
    const client = await applied([...opened, ...rest.map(({ event }) => event)], {
      messages: [NEXT],
      state: {},
    })
    const all = [USER, REPLY, NEXT, { id: 'm-4', role: 'assistant', content: 'Now this' }]
    if (at < whole.length - 1) expect(client.messages).toEqual(all)
    expect(types.at(-1)).toBe(at < whole.length - 1 ? 'RUN_FINISHED' : undefined)
  }
})
