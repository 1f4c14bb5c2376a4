import type {
  ElicitRequestFormParams,
  PrimitiveSchemaDefinition,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Wait } from '../../activity/index.ts'
import type { InterruptAnswer } from '../../agents/index.ts'
import { membersOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'

/** Questions that one answer may name. */
export const MCP_ANSWERS_MAX = 100

/** An open question, as a client reads it in a result. */
export const mcpQuestion = z.object({
  id: z.string(),
  kind: z.enum(['approval', 'question', 'hidden']),
  message: z.string(),
  values: z.record(z.string(), z.string()).optional(),
})

export type McpQuestion = z.output<typeof mcpQuestion>

/** The answer to one question in a call of `answer_<agent>`. */
export const mcpAnswer = z
  .strictObject({
    id: z.string().describe('The id of the question'),
    approved: z.boolean().optional().describe('For an approval: what the person decided'),
    reason: z.string().optional().describe('For an approval: why, in the words of the person'),
    values: z
      .record(z.string(), z.json())
      .optional()
      .describe('For a question: the values that the person gave, by their names'),
    declined: z.literal(true).optional().describe('The person declines to answer'),
  })
  .refine(
    ({ approved, values, declined }) =>
      [approved, values, declined].filter((given) => given !== undefined).length === 1,
    'give exactly one of approved, values and declined',
  )

/** A role may see no more of a question than that it is open. */
export function questionOf(id: string, shown: Wait | undefined): McpQuestion {
  if (!shown) return { id, kind: 'hidden', message: 'A question that your role may not read' }
  const message = messageOf(shown)
  if (shown.reason === 'tool_approval') return { id, kind: 'approval', message }
  return { id, kind: 'question', message, values: { ...shown.requestKeys } }
}

export function answerTo({
  id,
  approved,
  reason,
  values,
}: z.output<typeof mcpAnswer>): InterruptAnswer {
  if (approved !== undefined) {
    const payload = { approved, ...(reason !== undefined && { reason }) }
    return { interruptId: id, status: 'resolved', payload }
  }
  if (values === undefined) return { interruptId: id, status: 'cancelled' }
  return { interruptId: id, status: 'resolved', payload: values as JsonObject }
}

/** The form with which a client asks its person. */
export function formFor(wait: Wait): ElicitRequestFormParams {
  const message = messageOf(wait)
  if (wait.reason === 'tool_approval') return { mode: 'form', message, requestedSchema: APPROVAL }
  const types = typesOf(wait)
  const required = Object.keys(wait.requestKeys)
  const fields = required.map((name) => [name, fieldFor(wait, name, types)])
  const properties = Object.fromEntries(fields) as Record<string, PrimitiveSchemaDefinition>
  return { mode: 'form', message, requestedSchema: { type: 'object', properties, required } }
}

const elicited = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.json()).default({}),
})

/**
 * The answers that a person gave in a client's forms, by the ids of the questions; a form that they closed
 * gives none. The engine checks them as it checks all answers.
 */
export function elicitedAnswers(
  responses: Readonly<Record<string, unknown>>,
  jsonFields: readonly string[],
): readonly InterruptAnswer[] {
  return Object.entries(responses)
    .slice(0, MCP_ANSWERS_MAX)
    .flatMap(([interruptId, response]): readonly InterruptAnswer[] => {
      const { success, data } = elicited.safeParse(response)
      if (!success || data.action === 'cancel') return []
      if (data.action === 'decline') return [{ interruptId, status: 'cancelled' }]
      const values = Object.entries(data.content).map(([name, value]) => {
        const isJson = jsonFields.includes(fieldId(interruptId, name))
        return [name, isJson ? readJson(value as Json) : value]
      })
      return [
        { interruptId, status: 'resolved', payload: Object.fromEntries(values) as JsonObject },
      ]
    })
}

/** The fields of a question's form that a person fills in as JSON. */
export function jsonFieldsOf(wait: Wait): readonly string[] {
  if (wait.reason === 'tool_approval') return []
  const types = typesOf(wait)
  return Object.keys(wait.requestKeys)
    .filter((name) => !isField(types[name]))
    .map((name) => fieldId(wait.id, name))
}

function fieldId(wait: string, name: string): string {
  return `${wait} ${name}`
}

function typesOf({ schema }: Wait): JsonObject {
  return membersOf(schema?.['properties'] ?? null) as JsonObject
}

const APPROVAL: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    approved: { type: 'boolean', title: 'Approve' },
    reason: { type: 'string', title: 'Reason' },
  },
  required: ['approved'],
}

/** The parts of a JSON Schema that the fields of a form have. */
const FIELD_PARTS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'minLength',
  'maxLength',
  'format',
  'enum',
  'minimum',
  'maximum',
  'default',
])
const FORMATS: readonly Json[] = ['email', 'uri', 'date', 'date-time']

function fieldFor(wait: Wait, name: string, types: JsonObject): JsonObject {
  const description = wait.requestKeys[name] ?? ''
  const type = types[name]
  if (type === undefined) return { type: 'string', description }
  if (!isField(type)) return { type: 'string', description: `${description} (as JSON)` }
  const parts = Object.entries(type).filter(
    ([part, value]) =>
      FIELD_PARTS.has(part) && (part !== 'format' || FORMATS.includes(value ?? null)),
  )
  return { ...Object.fromEntries(parts), description }
}

/** Forms have single values; a value without a type is asked for as text. */
function isField(type: Json | undefined): type is JsonObject {
  if (type === undefined) return true
  const { type: name, enum: choices } = membersOf(type)
  const isText = name === 'string'
  if (choices !== undefined) return isText && Array.isArray(choices)
  return isText || name === 'number' || name === 'integer' || name === 'boolean'
}

/** What is no JSON stays a text: the engine says why it does not fit. */
function readJson(value: Json): Json {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

function messageOf({ requestKeys, approval }: Wait): string {
  if (!approval) return Object.values(requestKeys).join('\n')
  const { question, note, facts = [], reasons = [] } = approval
  const told = facts.map(({ label, value }) => `${label}: ${value}`)
  return [question, ...told, ...reasons, ...(note === undefined ? [] : [note])].join('\n')
}
