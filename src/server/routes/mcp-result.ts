import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Wait, WaitingTurn } from '../../activity/index.ts'
import type { ProblemError } from '../problems/problem.ts'
import type { McpAgent } from './mcp-agents.ts'
import type { McpPackage } from './mcp-package.ts'
import { formFor, jsonFieldsOf, mcpQuestion, questionOf } from './mcp-questions.ts'
import type { ShownTurn } from './mcp-turn.ts'
import { actorIn } from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'

/** The structured content of a call's result. */
export const turnResult = z.object({
  thread: z.string(),
  status: z.enum(['success', 'waiting', 'cancelled', 'limit', 'error']),
  text: z.string(),
  questions: z.array(mcpQuestion),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

/** A thread that waits for answers takes no message. */
export const MESSAGE_STATES = ['taken', 'not taken'] as const

export type MessageState = (typeof MESSAGE_STATES)[number]

/** A question of a turn, as its reader sees it. */
export type OpenQuestion =
  | { readonly id: string; readonly isMine: boolean; readonly wait: Wait }
  | { readonly id: string; readonly isMine: false; readonly wait?: undefined }

/** The open questions of a turn: whether the sender may answer each, and read it. */
export async function questionsIn(
  { owner, thread, role, as }: Entered,
  { shown, waiting }: { readonly shown: ShownTurn; readonly waiting: WaitingTurn | undefined },
): Promise<readonly OpenQuestion[]> {
  if (shown.reason !== 'interrupt' || waiting?.turn !== shown.turn) return []
  const who = { role, surface: as.surface, ...actorIn(as) }
  const mine = new Set((await owner.waits(thread, who)).map(({ id }) => id))
  const readable = new Map(shown.waits.map((wait) => [wait.id, wait]))
  return waiting.waits
    .filter(({ reason }) => reason !== 'client_tool')
    .map(({ id }) => {
      const wait = readable.get(id)
      return wait ? { id, isMine: mine.has(id), wait } : { id, isMine: false }
    })
}

interface Asking {
  readonly thread: string
  readonly turn: string
  readonly forms: readonly OpenQuestion[]
  readonly message: MessageState
}

/** Lets the client put the questions before its person, and call again with the answers. */
export function requireInput(
  { inputRequired }: McpPackage,
  { thread, turn, forms, message }: Asking,
): InputRequiredResult {
  const waits = forms.flatMap(({ wait }) => wait ?? [])
  const jsonFields = waits.flatMap(jsonFieldsOf)
  return inputRequired({
    requestState: JSON.stringify({ thread, turn, jsonFields, message }),
    inputRequests: Object.fromEntries(
      waits.map((wait) => [wait.id, inputRequired.elicit(formFor(wait))]),
    ),
  })
}

const NOT_TAKEN = 'The message was not taken: the thread had to be answered first. Send it again.'

interface Answer {
  readonly thread: string
  readonly agent: McpAgent
  readonly shown: ShownTurn
  readonly questions: readonly OpenQuestion[]
  readonly message: MessageState
}

export function resultOf({ thread, agent, shown, questions, message }: Answer): CallToolResult {
  const { reason, text, error } = shown
  const status = reason === 'interrupt' ? 'waiting' : reason
  const asked = questions.map(({ id, wait }) => questionOf(id, wait))
  const structuredContent: z.output<typeof turnResult> = {
    thread,
    status,
    text,
    questions: asked,
    ...(error && { error }),
  }
  const lines = [
    ...(message === 'taken' ? [] : [NOT_TAKEN]),
    ...(text === '' ? [] : [text]),
    ...(error ? [`${error.code}: ${error.message}`] : []),
    ...asked.map(({ id, kind, message }) => `Waits for an answer (${kind} ${id}): ${message}`),
    ...(questions.some(({ isMine }) => isMine)
      ? [`Let the person decide, then call ${agent.answer}.`]
      : []),
    `(thread ${thread}: ${status})`,
  ]
  return {
    content: [{ type: 'text', text: lines.join('\n\n') }],
    structuredContent,
    ...(status === 'error' && { isError: true }),
  }
}

/** A refused call, as a model reads it. */
export function refusalOf({ code, message }: ProblemError): CallToolResult {
  return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true }
}
