import type { Message } from '@ag-ui/core'
import { membersOf, textOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'

/** A message as TanStack AI's client keeps it. */
export interface TanstackMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly JsonObject[]
}

/** Messages of AG-UI as TanStack AI's client keeps them: a tool's result lies in the message of its call. */
export function tanstackMessages(messages: readonly Message[]): readonly TanstackMessage[] {
  const results = new Map(
    messages.flatMap((each) => (each.role === 'tool' ? [[each.toolCallId, each] as const] : [])),
  )
  return messages.flatMap((message): readonly TanstackMessage[] => {
    const { id } = message
    if (message.role === 'user') return [{ id, role: 'user', parts: userParts(message.content) }]
    if (message.role === 'reasoning') {
      const { content } = message
      return content === ''
        ? []
        : [{ id, role: 'assistant', parts: [{ type: 'thinking', content }] }]
    }
    if (message.role !== 'assistant') return []
    const calls = message.toolCalls ?? []
    const parts = [
      ...textParts(message.content ?? ''),
      ...calls.flatMap((call) => callParts(call, results.get(call.id))),
    ]
    return [{ id, role: 'assistant', parts }]
  })
}

type UserContent = Extract<Message, { role: 'user' }>['content']
type Call = NonNullable<Extract<Message, { role: 'assistant' }>['toolCalls']>[number]
type Result = Extract<Message, { role: 'tool' }>

function userParts(content: UserContent): readonly JsonObject[] {
  if (typeof content === 'string') return textParts(content)
  // Parts other than texts have the same shape on both sides.
  return (content as unknown as readonly Json[]).flatMap((part) =>
    textOf(part, 'type') === 'text'
      ? textParts(textOf(part, 'text'))
      : [membersOf(part) as JsonObject],
  )
}

function textParts(content: string): readonly JsonObject[] {
  return content === '' ? [] : [{ type: 'text', content }]
}

function callParts(
  { id, function: { name, arguments: given } }: Call,
  result: Result | undefined,
): readonly JsonObject[] {
  const call = { type: 'tool-call', id, name, arguments: given }
  if (!result) return [{ ...call, state: 'input-complete' }]
  // It is a text, or a list of parts.
  const content = result.content as Json
  return [
    { ...call, state: 'complete', output: content },
    { type: 'tool-result', toolCallId: id, content, state: 'complete' },
  ]
}
