import type { Interrupt } from '@ag-ui/core'
import { ourMetadata } from '../../activity/index.ts'
import { isJsonArray, membersOf, textOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'

/** The answer to an approval. Frontends show their card only for exactly this schema. */
const APPROVAL_SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
}

/**
 * The questions of a stored outcome as AG-UI's interrupts. A tool of the client waits for its result,
 * which is no question: its call is pending.
 */
export function wireInterrupts(outcome: Json): readonly Interrupt[] {
  return listIn(membersOf(outcome)['interrupts'])
    .filter((each) => textOf(each, 'reason') !== 'client_tool')
    .map(wireInterrupt)
}

/** The calls that a stored outcome leaves to the client. */
export function pendingCalls(outcome: Json): readonly string[] {
  const { pendingToolCallIds, interrupts } = membersOf(outcome)
  const ours = listIn(interrupts).filter((each) => textOf(each, 'reason') === 'client_tool')
  return [
    ...listIn(pendingToolCallIds).map(String),
    ...ours.map((each) => textOf(each, 'toolCallId')),
  ]
}

export function listIn(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : []
}

/** A question of which a role may see no more than that it is open. */
export function hiddenInterrupts(outcome: Json): readonly Interrupt[] {
  return wireInterrupts(outcome).map(({ id, reason }) => ({ id, reason }))
}

function wireInterrupt(stored: Json): Interrupt {
  // Stored in AG-UI's shape; only its request depends on the protocol's frontends.
  const interrupt = stored as unknown as Interrupt
  if (ourMetadata(stored)['asIs'] === true) return interrupt
  if (interrupt.reason === 'tool_approval' || interrupt.reason === 'tool_call') {
    return { ...interrupt, reason: 'tool_call', responseSchema: APPROVAL_SCHEMA }
  }
  const words = membersOf(ourMetadata(stored)['requestKeys'] ?? null)
  const schema = membersOf(membersOf(stored)['responseSchema'] ?? null)
  const responseSchema = { ...schema, ...askedFor(words, membersOf(schema['properties'] ?? null)) }
  return { ...interrupt, reason: 'input_required', responseSchema }
}

/** The values that are asked for, each with the words to ask with and the type that the tool gave it. */
function askedFor(words: JsonObject, types: JsonObject): JsonObject {
  const required = Object.keys(words)
  const properties = Object.fromEntries(
    required.map((key) => {
      const type = Object.hasOwn(types, key) ? membersOf(types[key] ?? null) : {}
      return [key, { ...type, description: words[key] ?? '' }]
    }),
  )
  return { type: 'object', properties, required }
}
