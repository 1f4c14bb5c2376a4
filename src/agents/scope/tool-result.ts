import { agentEvent } from '../../activity/index.ts'
import type { NewEvent, Origin } from '../../log/index.ts'
import { startOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { valueJson } from '../define/value-json.ts'

/** The result of a tool call, in the model's form. */
export interface ToolResult {
  readonly content: string
  /** The content is a value as JSON, not a text. */
  readonly json?: true
  /** A code, when it failed. */
  readonly error?: string
  /** The sub-agent whose answer it is. */
  readonly subagent?: string
  /** The roles that it waits for: the tool's own result comes later. */
  readonly pending?: readonly string[]
  /** The tool, where this result comes after a pending one. */
  readonly late?: string
}

/** A result that is known without running a tool. */
export interface GivenResult extends ToolResult {
  /** The client gave it, so it is not streamed back to the client. */
  readonly by?: 'client'
  /** The client's id of its tool message. */
  readonly messageId?: string
}

/** The least that a model gets of an error, in characters, even where `resultChars` is smaller. */
export const ERROR_CHARS_MAX = 2_000

export function boundedResult(result: GivenResult, resultChars: number): GivenResult {
  // A model cannot mend a call whose error is cut off.
  const max = result.error === undefined ? resultChars : Math.max(resultChars, ERROR_CHARS_MAX)
  const content = shortened(result.content, max)
  const { json, ...rest } = result
  // A text that was cut is not JSON any more.
  const whole = json && content === result.content ? { json } : {}
  return { ...rest, ...whole, content }
}

export function contentOf(value: unknown): ToolResult {
  if (typeof value === 'string' || typeof value === 'bigint') return { content: String(value) }
  const content = valueJson(value)
  return content === undefined ? { content: '' } : { content, json: true }
}

export function failedResult(error: string, content: string): ToolResult {
  return { content, error }
}

/** A value as JSON carries it. */
export function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value) as string | undefined
  // JSON.parse gives JSON.
  return text === undefined ? null : (JSON.parse(text) as Json)
}

export function resultRecord(
  call: {
    readonly messageId: string
    readonly toolCallId: string
    readonly subagentRunId?: string
  },
  { content, json, error, subagent, pending, late }: ToolResult,
  origin: Origin,
): NewEvent {
  const ours = {
    ...(error === undefined ? {} : { error }),
    ...(json ? { json } : {}),
    ...(subagent === undefined ? {} : { subagent }),
    ...(pending === undefined ? {} : { pending: [...pending] }),
    ...(late === undefined ? {} : { late }),
  }
  const metadata = Object.keys(ours).length > 0 ? { metadata: { throughline: ours } } : {}
  return agentEvent('TOOL_CALL_RESULT', { ...call, content, role: 'tool', ...metadata }, origin)
}

/** Cuts a text that is too long for a model or a record, with a mark where it was cut. */
export function shortened(content: string, max: number): string {
  if (content.length <= max) return content
  return `${startOf(content, max)}\n[The result has ${content.length} characters; the rest is cut off.]`
}
