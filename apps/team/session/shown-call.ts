import { createHash } from 'node:crypto'
import { startOf, visibleJson, visibleText } from 'throughline/client'
import type { Json } from 'throughline'
import {
  ALLOWED_INPUT_CHARS_MAX,
  SHOWN_INPUT_CHARS_MAX,
  TOOL_NAME_CHARS_MAX,
} from '../events/index.ts'
import type { SavedPermission } from '../events/index.ts'

export type ShownCall = Omit<SavedPermission, 'request'>

/** A call as a person is shown it, and the digest that binds their answer to what they were shown. */
export function shownCall(toolName: string, input: Json): ShownCall {
  const json = JSON.stringify(input)
  const visible = visibleJson(startOf(json, SHOWN_INPUT_CHARS_MAX))
  const isWhole =
    json.length <= ALLOWED_INPUT_CHARS_MAX &&
    visible.length <= SHOWN_INPUT_CHARS_MAX &&
    toolName.length <= TOOL_NAME_CHARS_MAX
  const name = startOf(visibleText(startOf(toolName, TOOL_NAME_CHARS_MAX)), TOOL_NAME_CHARS_MAX)
  const text = startOf(visible, SHOWN_INPUT_CHARS_MAX)
  const digest = createHash('sha256').update(`${name}\n${text}`).digest('hex')
  return { toolName: name, input: text, digest, isWhole }
}
