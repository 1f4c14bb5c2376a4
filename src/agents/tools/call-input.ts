import { thrownMessage } from '../../json/index.ts'
import type { ModelToolCall } from '../../models/index.ts'
import { failedResult } from '../scope/tool-result.ts'
import type { ToolResult } from '../scope/tool-result.ts'

/** The message in the input of a call to another agent. */
export function messageIn(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || !('message' in given)) return undefined
  return typeof given.message === 'string' ? given.message : undefined
}

export function parseInput(
  call: ModelToolCall,
): { readonly value: unknown } | { readonly failed: ToolResult } {
  try {
    return { value: JSON.parse(call.input === '' ? '{}' : call.input) as unknown }
  } catch (error) {
    const why = `Cannot call "${call.name}": ${thrownMessage(error)}`
    return { failed: failedResult('invalid_input', why) }
  }
}
