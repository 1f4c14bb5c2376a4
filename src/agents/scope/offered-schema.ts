import { equalJson, isJsonObject, thrownMessage } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { unusableAgent } from '../define/agent-error.ts'
import type { ToolSchema } from '../define/sdk-schema.ts'
import { jsonSchemaOf } from '../define/tool.ts'

/** Whose input a schema describes: `its tool "pay"`. */
export interface Described {
  readonly agent: string
  readonly what: string
}

/**
 * Describes an input to a model. Providers take an object at the root and nothing else, so alternatives become
 * one object with the members of all of them; the schema itself still checks the input.
 *
 * @throws {@link AgentError} `invalid_agent` for a schema that JSON Schema cannot express or that is no object
 */
export function offeredSchema(schema: ToolSchema, of: Described): JsonObject {
  const described = objectSchema(describe(schema, of))
  if (described) return described
  const mend = 'models give objects: wrap it, as in z.object({ value: … })'
  throw unusableAgent(of.agent, `${of.what} takes no object; ${mend}`)
}

/** As providers take a tool's input: an object with a list of its members. Undefined where no object fits. */
export function objectSchema(schema: JsonObject): JsonObject | undefined {
  const found = objectIn(schema)
  if (!found || isJsonObject(found['properties'])) return found
  return { ...found, properties: {} }
}

function describe(schema: ToolSchema, { agent, what }: Described): JsonObject {
  try {
    // A JSON Schema is JSON.
    return jsonSchemaOf(schema) as JsonObject
  } catch (cause) {
    const why = `${what} has a schema that cannot be told to a model (${thrownMessage(cause)})`
    const mend = 'give a date as z.iso.datetime(), and other such values as text'
    throw unusableAgent(agent, `${why}; ${mend}`, { cause })
  }
}

/** Undefined for a schema that no object fits. */
function objectIn(schema: JsonObject): JsonObject | undefined {
  const { type, anyOf, oneOf, allOf, ...rest } = schema
  if (type === 'object') return schema
  if (Array.isArray(type) ? !type.includes('object') : type !== undefined) return undefined
  const parts = partsOf(anyOf ?? oneOf ?? allOf)
  if (parts === undefined) return { ...schema, type: 'object' }
  const objects = parts.map(objectIn).filter((part) => part !== undefined)
  if (objects.length === 0) return undefined
  const isAll = anyOf === undefined && oneOf === undefined
  return { ...rest, type: 'object', ...merged(objects, isAll ? 'all' : 'one') }
}

function partsOf(given: Json | undefined): readonly JsonObject[] | undefined {
  return Array.isArray(given)
    ? given.flatMap((part: Json) => (isJsonObject(part) ? [part] : []))
    : undefined
}

/** The members of all; needed are those that each needs, or that any needs where all hold at once. */
function merged(objects: readonly JsonObject[], hold: 'all' | 'one'): JsonObject {
  const choices = new Map<string, Json[]>()
  for (const { properties } of objects) {
    if (!isJsonObject(properties)) continue
    for (const [name, property] of Object.entries(properties)) {
      if (property === undefined) continue
      const known = choices.get(name) ?? []
      if (!known.some((each) => equalJson(each, property))) known.push(property)
      choices.set(name, known)
    }
  }
  const properties = Object.fromEntries(
    Array.from(choices, ([name, [first = {}, ...others]]) => [
      name,
      others.length === 0 ? first : { anyOf: [first, ...others] },
    ]),
  )
  const needed = objects.map(({ required }) => (Array.isArray(required) ? required : []))
  const names = [...new Set(needed.flat())]
  const isNeeded = (name: Json) => hold === 'all' || needed.every((each) => each.includes(name))
  return { properties, required: names.filter(isNeeded) }
}
