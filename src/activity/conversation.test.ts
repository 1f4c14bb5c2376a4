import * as schemas from '@ag-ui/core/schemas'
import { expect, test } from 'vitest'
import type { NewEvent, Origin } from '../log/index.ts'
import {
  ACCEPTED_DATA_CHARS_MAX,
  EMPTY_CONVERSATION,
  agentEvent,
  customEvent,
  customValue,
  foldConversation,
  foldOpenRuns,
  refusalIn,
} from './index.ts'
import { membersOf, textOf } from '../json/index.ts'
import { stored } from './stored-records.fixture.ts'

const origin: Origin = { source: 'model', surface: 'wall', agent: 'a', depth: 0, run: 'r' }
const start = agentEvent('TEXT_MESSAGE_START', { messageId: 'm', role: 'assistant' }, origin)
const delta = (text: string) =>
  agentEvent('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: text }, origin)
const end = agentEvent('TEXT_MESSAGE_END', { messageId: 'm' }, origin)

const fold = (...events: readonly NewEvent[]) =>
  foldConversation(EMPTY_CONVERSATION, stored(events)).messages

test('[E014] [E015] [E017] [E040] a message is opened, grows by its deltas, and is closed', () => {
  expect(fold(start, delta('Hel'))).toMatchObject([{ text: 'Hel', status: 'open' }])
  expect(fold(start, delta('Hel'), delta('lo'), end)).toEqual([
    {
      id: 'm',
      role: 'assistant',
      text: 'Hello',
      seq: 0,
      ts: 0,
      agent: 'a',
      surface: 'wall',
      run: 'r',
      status: 'complete',
    },
  ])
})

test('text of a message that never started is left out', () => {
  expect(fold(delta('lost'), end)).toEqual([])
})

test('a user’s message is a user’s, and may come without surface and run', () => {
  const bare: Origin = { source: 'ui', depth: 0 }
  const said = agentEvent('TEXT_MESSAGE_START', { messageId: 'm', role: 'user' }, bare)
  expect(fold(said)).toEqual([{ id: 'm', role: 'user', text: '', seq: 0, ts: 0, status: 'open' }])
})

test('the model reads notes and refusals of its proposals', () => {
  const data = { type: 'withdraw', reason: 'not_authorised', detail: 'no' }
  const refused = (source: 'model' | 'ui') => ({
    type: 'event_refused',
    data,
    origin: { source, depth: 0 },
  })
  expect(
    fold(customEvent('note', '[Opened.]', origin), refused('model'), refused('ui')),
  ).toMatchObject([
    { role: 'note', text: '[Opened.]', status: 'complete' },
    {
      role: 'note',
      text: '[Your event was refused: {"type":"withdraw","reason":"not_authorised","detail":"no"}]',
    },
  ])
})

test('a tag that was accepted makes a note with its type and the start of its data', () => {
  const accepted = (data: NewEvent['data'], from: Partial<Origin> = { attempt: 1 }) => ({
    type: 'light_on',
    data,
    origin: { ...origin, ...from },
  })
  expect(fold(accepted({ watts: 40, note: 'one\ntwo' }))).toMatchObject([
    {
      role: 'note',
      text: '[Your event was accepted: light_on {"watts":40,"note":"one\\ntwo"}]',
      surface: 'wall',
      run: 'r',
    },
  ])
  const [long] = fold(accepted({ note: 'x'.repeat(ACCEPTED_DATA_CHARS_MAX) }))
  const [head, tail] = ['[Your event was accepted: light_on ', '…]']
  expect(long?.text).toHaveLength(head.length + ACCEPTED_DATA_CHARS_MAX + tail.length)
  expect(long?.text.endsWith('x…]')).toBe(true)
  const [cutInside] = fold(accepted('🙂'.repeat(ACCEPTED_DATA_CHARS_MAX)))
  expect(cutInside?.text.isWellFormed()).toBe(true)
})

test('the events of a tool, a person and a rule make no note, and neither does activity', () => {
  const event = (from: Partial<Origin>, type = 'light_on') => ({
    type,
    data: {},
    origin: { ...origin, ...from },
  })
  expect(
    fold(
      event({}),
      event({ source: 'ui', attempt: 1 }),
      event({ source: 'rule', attempt: 1 }),
      event({ attempt: 1 }, 'STEP_STARTED'),
      event({ attempt: 1 }, 'STATE_DELTA'),
    ),
  ).toEqual([])
})

test('records that are not text leave the conversation as it is', () => {
  const run = agentEvent('STEP_STARTED', { stepName: 's' }, origin)
  const folded = foldConversation(
    EMPTY_CONVERSATION,
    stored([run, customEvent('other', 1, origin)]),
  )
  expect(folded).toBe(EMPTY_CONVERSATION)
})

test('[E007] a run is open from its start to its end, with the messages that it left open', () => {
  const run = agentEvent('RUN_STARTED', { threadId: 't', runId: 'r' }, origin)
  const other = {
    ...run,
    data: { threadId: 't', runId: 's' },
    origin: { source: 'system', depth: 0, run: 's' },
  } as const
  const failed = agentEvent('RUN_ERROR', { message: 'x' }, origin)
  const finished = agentEvent('RUN_FINISHED', { threadId: 't', runId: 'r' }, origin)
  expect(foldOpenRuns([], stored([run, other, start]))).toMatchObject([
    {
      runId: 'r',
      origin,
      openItems: [{ kind: 'text message', id: 'm' }],
    },
    { runId: 's', origin: other.origin, openItems: [] },
  ])
  expect(foldOpenRuns([], stored([run, start, end]))).toMatchObject([{ openItems: [] }])
  expect(foldOpenRuns([], stored([run, finished]))).toEqual([])
  expect(foldOpenRuns([], stored([run, failed]))).toEqual([])
})

test('[E035] what we store is what AG-UI 1.0 accepts', () => {
  const outcome = { type: 'success' } as const
  const events = [
    agentEvent('RUN_STARTED', { threadId: 't', runId: 'r' }, origin),
    agentEvent('STEP_STARTED', { stepName: 'model:1' }, origin),
    start,
    delta('x'),
    end,
    customEvent('note', 'n', origin),
    agentEvent('STEP_FINISHED', { stepName: 'model:1' }, origin),
    agentEvent('RUN_FINISHED', { threadId: 't', runId: 'r', outcome }, origin),
    agentEvent('RUN_ERROR', { message: 'x', code: 'y' }, origin),
  ]
  for (const { type, data } of events) {
    const wire = { type, ...membersOf(data) }
    expect(schemas.EventSchemas.safeParse(wire).success).toBe(true)
  }
})

test('members and values of other shapes are not guessed at', () => {
  expect(membersOf([1])).toEqual({})
  expect(membersOf(null)).toEqual({})
  expect(textOf({ delta: 1 }, 'delta')).toBe('')
  expect(customValue({ type: 'CUSTOM', data: { name: 'other', value: 1 } }, 'note')).toBeUndefined()
})

test('a refusal is read from its note as it was recorded, and from no other note', () => {
  const data = { type: 'a (b: c)]', reason: 'invalid_payload', detail: 'not\n"this"}]' }
  const [note] = fold({ type: 'event_refused', data, origin: { source: 'model', depth: 0 } })
  expect(refusalIn(note?.text ?? '')).toEqual(data)
  expect(refusalIn('[Your event was accepted: light_on {}]')).toBeUndefined()
})
