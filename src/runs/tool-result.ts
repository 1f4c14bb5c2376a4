import type { Json } from '../log/index.ts'

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
