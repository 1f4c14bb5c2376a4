import { equalJson } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { ModelToolCall } from '../models/index.ts'

/** Whether two calls of one answer ask for the same: servers repeat a call under another id. */
export function asksTheSame(one: ModelToolCall, other: ModelToolCall): boolean {
  if (one.name !== other.name) return false
  return one.input === other.input || equalJson(valueOf(one), valueOf(other))
}

function valueOf({ input }: ModelToolCall): Json {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(input) as Json
  } catch {
    return input
  }
}
