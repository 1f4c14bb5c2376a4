import type { AGUIEvent } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { AguiMessages } from './index.ts'

function taken(events: readonly object[]): AguiMessages {
  const messages = new AguiMessages()
  // They are events of AG-UI.
  for (const event of events) messages.take(event as AGUIEvent)
  return messages
}

const CALL = {
  type: 'TOOL_CALL_START',
  toolCallId: 'c',
  toolCallName: 'look',
  parentMessageId: 'm',
}

test('a message has its members in the order in which events gave them, as it is sent in that form', () => {
  const { messages } = taken([
    CALL,
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm', metadata: { a: 1 } },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' },
  ])
  const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
  const shown = { id: 'm', role: 'assistant', toolCalls: [call], content: 'Hi', metadata: { a: 1 } }
  expect(JSON.stringify(messages)).toBe(JSON.stringify([shown]))
})

test('files follow what a person wrote, also what comes later; nobody else’s message takes any', () => {
  const file = { type: 'image', source: { type: 'url', value: 'https://a.example/b.png' } } as const
  const start = { type: 'TEXT_MESSAGE_START', messageId: 'u', role: 'user' }
  const messages = taken([start, CALL])
  expect(messages.attach('u', [file])).toBe(true)
  expect(messages.messages[0]).toEqual({ id: 'u', role: 'user', content: [file] })
  messages.take({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'u', delta: 'See' } as AGUIEvent)
  expect(messages.messages[0]?.content).toEqual([{ type: 'text', text: 'See' }, file])
  expect(messages.attach('m', [file])).toBe(false)
})

test('a record may lack what AG-UI asks for: a result is empty, a delta adds nothing', () => {
  const { messages } = taken([
    CALL,
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: 7 },
    { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c' },
  ])
  expect(messages).toMatchObject([
    { toolCalls: [{ function: { arguments: '' } }] },
    { role: 'tool', content: '' },
  ])
})
