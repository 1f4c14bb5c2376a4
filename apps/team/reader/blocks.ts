import { membersOf } from 'throughline'
import { startOf } from 'throughline/client'
import type { Json, JsonObject } from 'throughline'
import type { MessageBlock } from 'throughline/server/extend'
import type { Block } from '../events/index.ts'

/** Characters of one text that are kept. */
export const TEXT_CHARS_MAX = 100_000
/** Characters of a call's input, as JSON, that are kept whole; of a longer one each member is cut. */
export const INPUT_CHARS_MAX = 50_000
const INPUT_MEMBER_CHARS_MAX = 2_000
const INPUT_MEMBERS_MAX = 20
/** Characters of one event; a longer message becomes several events of the same message. */
export const MESSAGE_PART_CHARS_MAX = 250_000

/** A block as it is stored. */
export function storedBlock(block: MessageBlock): Block {
  if (block.type === 'text') return { type: 'text', text: startOf(block.text, TEXT_CHARS_MAX) }
  if (block.type === 'thinking') {
    return { type: 'thinking', thinking: startOf(block.text, TEXT_CHARS_MAX) }
  }
  const { type, id, name, input } = block
  return { type, id, name, input: shortInput(membersOf(input)) }
}

/** Cuts a message into parts that a record can hold. */
export function partsOf<Part extends Block>(blocks: readonly Part[]): readonly (readonly Part[])[] {
  const parts: Part[][] = []
  let left = 0
  for (const block of blocks) {
    const length = JSON.stringify(block).length
    const last = parts.at(-1)
    if (last && length <= left) last.push(block)
    else parts.push([block])
    left = (last && length <= left ? left : MESSAGE_PART_CHARS_MAX) - length
  }
  return parts
}

type Input = Extract<Block, { type: 'tool_use' }>['input']

function shortInput(input: JsonObject): Input {
  const isShort = JSON.stringify(input).length <= INPUT_CHARS_MAX
  // Parsed from JSON: no member is undefined.
  return (isShort ? input : Object.fromEntries(cutMembers(input))) as Input
}

function cutMembers(input: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(input)
    .slice(0, INPUT_MEMBERS_MAX)
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
      return [startOf(key, 100), startOf(text, INPUT_MEMBER_CHARS_MAX)]
    })
}
