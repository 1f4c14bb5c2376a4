import { agentEvent } from '../activity/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import { startOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'

/** What a tool call came to, as the model is told. */
export interface ToolResult {
  readonly content: string
  /** The content is a value as JSON, not a text. */
  readonly json?: true
  /** A code, when it failed. */
  readonly error?: string
  /** The sub-agent whose answer it is. */
  readonly subagent?: string
}

/** A value that a tool gave, as a result. */
export function contentOf(value: unknown): ToolResult {
  if (typeof value === 'string') return { content: value }
  // undefined and functions have no JSON.
  const content = JSON.stringify(value) as string | undefined
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

/** A result as it is put on record. */
export function resultRecord(
  call: {
    readonly messageId: string
    readonly toolCallId: string
    readonly subagentRunId?: string
  },
  { content, json, error, subagent }: ToolResult,
  origin: Origin,
): NewEvent {
  const ours = {
    ...(error === undefined ? {} : { error }),
    ...(json ? { json } : {}),
    ...(subagent === undefined ? {} : { subagent }),
  }
  const metadata = Object.keys(ours).length > 0 ? { metadata: { throughline: ours } } : {}
  return agentEvent('TOOL_CALL_RESULT', { ...call, content, role: 'tool', ...metadata }, origin)
}

/** Cuts what is too long for a model or a record, and says so. */
export function shortened(content: string, max: number): string {
  if (content.length <= max) return content
  return `${startOf(content, max)}\n[The result has ${content.length} characters; the rest is cut off.]`
}
