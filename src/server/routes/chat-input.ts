import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { ContentPart, Message, ResumeEntry, Tool, UserMessage } from '@ag-ui/core'
import type { Context } from 'hono'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { explainIssues } from '../../domain/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { sha256 } from '../../platform/index.ts'
import { RUN_INPUT_LIMITS, historyDigest } from './agui-input.ts'
import type { AguiRequest } from './agui-turns.ts'
import { idempotencyKey } from './keyed-requests.ts'
import { readJson } from './request-body.ts'
import { requireThreadName } from './thread-entry.ts'

const messageId = z.string().min(1).max(512)

const part = z.looseObject({ type: z.string() })

const message = z.looseObject({
  id: messageId,
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(part),
})

const answer = z.strictObject({
  interruptId: z.string(),
  status: z.enum(['resolved', 'cancelled']),
  payload: z.json().exactOptional(),
})

export const chatBody = z.looseObject({
  id: z.string(),
  messages: z.array(message).min(1),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  /** Ours: answers to questions that the AI SDK has no form for. */
  resume: z.array(answer).default([]),
})

/** The request of a page's `useChat`. */
export type ChatInput = z.output<typeof chatBody>

type Part = z.output<typeof part>

/** @throws {@link ProblemError} `invalid_json`, `invalid_body`, `body_too_large`, `unsupported_media_type` */
export async function readChatInput(context: Context): Promise<ChatInput> {
  const parsed = chatBody.safeParse(await readJson(context, RUN_INPUT_LIMITS))
  if (!parsed.success) {
    const detail = `Cannot read the body: ${explainIssues(parsed.error.issues)}`
    throw new ProblemError('invalid_body', 400, { detail })
  }
  requireThreadName(parsed.data.id, 'id')
  return parsed.data
}

/**
 * The same request in AG-UI's terms. Only what people wrote, and what they answered to the last message, is
 * taken from the page: the thread has the rest.
 */
export function chatRequest(
  context: Context,
  given: ChatInput,
  {
    agent,
    tools,
    principal,
  }: { readonly agent: string; readonly tools: readonly Tool[]; readonly principal: string },
): AguiRequest & { readonly answersOnly: boolean } {
  const answered = answeredParts(given)
  const answersOnly = answered !== undefined
  const parts = answered ?? []
  const approvals = parts.flatMap(approvalIn)
  const resume: ResumeEntry[] = [...approvals, ...given.resume]
  const results = parts.flatMap(resultIn)
  const written = given.messages.filter(({ role }) => role === 'user').map(userMessage)
  const messages: Message[] = [...written, ...results]
  const ids = [...resume.map(({ interruptId }) => interruptId), ...results.map(({ id }) => id)]
  const key = idempotencyKey(context.req.header('idempotency-key')) ?? randomUUID()
  const name = answersOnly
    ? `answer:${sha256(JSON.stringify(ids))}`
    : given.trigger === 'regenerate-message'
      ? `again:${sha256(JSON.stringify([principal, key]))}`
      : `message:${sha256(JSON.stringify([agent, written.at(-1) ?? key]))}`
  const wire = { threadId: given.id, runId: `ui-${name}`, protocolVersion: PROTOCOL_VERSION }
  const input = { ...wire, messages, tools: [...tools], context: [], resume }
  const history = historyDigest(input)
  return { input, agent, history, answersOnly, events: [], removed: [], protocol: PROTOCOL_VERSION }
}

/** The parts of the reply that the page goes on with, if it answers one. */
function answeredParts({ messages, trigger, resume }: ChatInput): readonly Part[] | undefined {
  const last = messages.at(-1)
  if (trigger !== 'submit-message') return undefined
  if (last?.role === 'assistant') return last.parts
  return resume.length > 0 ? [] : undefined
}

const approvalPart = z.looseObject({
  state: z.literal('approval-responded'),
  approval: z.looseObject({ id: z.string(), approved: z.boolean(), reason: z.string().optional() }),
})

function approvalIn(given: Part): readonly ResumeEntry[] {
  const { success, data } = approvalPart.safeParse(given)
  if (!success) return []
  const { id: interruptId, approved, reason } = data.approval
  const payload = { approved, ...(reason !== undefined && { reason }) }
  return [{ interruptId, status: 'resolved', payload }]
}

const resultPart = z.looseObject({
  state: z.enum(['output-available', 'output-error']),
  toolCallId: z.string(),
  output: z.unknown(),
  errorText: z.string().optional(),
  preliminary: z.boolean().optional(),
})

function resultIn(given: Part): readonly Extract<Message, { readonly role: 'tool' }>[] {
  const { success, data } = resultPart.safeParse(given)
  if (!success || data.preliminary) return []
  const { toolCallId, output, state, errorText = '' } = data
  const content = typeof output === 'string' ? output : JSON.stringify(output ?? null)
  const failed = state === 'output-error' && { error: errorText }
  return [{ id: `ui-${toolCallId}`, role: 'tool', toolCallId, content, ...failed }]
}

function userMessage({ id, parts }: z.output<typeof message>): UserMessage {
  const content = parts.flatMap(contentIn)
  const only = content.length === 1 ? content[0] : undefined
  return { id, role: 'user', content: only?.type === 'text' ? only.text : content }
}

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })

const filePart = z.looseObject({
  type: z.literal('file'),
  mediaType: z.string(),
  url: z.string(),
})

/** Text and files; a page's other parts are its own. */
function contentIn(given: Part): readonly ContentPart[] {
  const text = textPart.safeParse(given)
  if (text.success) return [{ type: 'text', text: text.data.text }]
  const file = filePart.safeParse(given)
  if (!file.success) return []
  const { url, mediaType: mimeType } = file.data
  const [, value] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? []
  const source =
    value === undefined
      ? ({ type: 'url', value: url, mimeType } as const)
      : ({ type: 'data', value, mimeType } as const)
  return [{ type: kindOf(mimeType), source }]
}

function kindOf(mimeType: string): 'image' | 'audio' | 'video' | 'document' {
  const kind = mimeType.split('/')[0]
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}
