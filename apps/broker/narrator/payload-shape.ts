import type { AnyEventType } from 'throughline'
import { z } from 'zod'

const memberSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
})

const payloadSchema = z.looseObject({
  properties: z.record(z.string(), memberSchema).default({}),
  required: z.array(z.string()).default([]),
})

/** The members of a payload. */
export type Payload = z.output<typeof payloadSchema>
type Member = z.output<typeof memberSchema>

/** Reads off an event type's schema what its payload may hold. */
export function payloadOf<State>({ schema }: AnyEventType<State>): Payload {
  if (!(schema instanceof z.ZodType)) throw new Error('Cannot describe a payload: it is not zod’s')
  return payloadSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

/**
 * Every payload that says no more than it must: one for each choice where the type asks for one. Of
 * these it can be tried whether the gate would take them.
 */
export function barePayloads({ properties, required }: Payload): readonly Bare[] {
  let payloads: readonly Bare[] = [{}]
  for (const name of required) {
    const choices = properties[name]?.enum ?? []
    payloads = payloads.flatMap((payload) =>
      choices.map((choice) => ({ ...payload, [name]: choice })),
    )
  }
  return payloads
}
export type Bare = Readonly<Record<string, string>>

/** The shape as a model reads it; of choices it names those of the payloads that are given. */
export function shapeOf({ properties, required }: Payload, open: readonly Bare[]): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const choices = [...new Set(open.flatMap((payload) => payload[name] ?? []))]
    const narrowed = choices.length > 0 ? { ...member, enum: choices } : member
    return `"${name}"${required.includes(name) ? '' : '?'}: ${valueOf(narrowed)}`
  })
  return `{${members.join(', ')}}`
}

function valueOf({ type, enum: choices, minimum, maximum, maxLength }: Member): string {
  if (choices) return choices.map((choice) => `"${choice}"`).join(' | ')
  switch (type) {
    case 'number':
    case 'integer': {
      const what = type === 'integer' ? 'whole number' : 'number'
      return minimum === undefined || maximum === undefined
        ? what
        : `${what} ${minimum} to ${maximum}`
    }
    case 'boolean':
      return 'true | false'
    case 'string':
      return maxLength === undefined ? 'text' : `text up to ${maxLength} characters`
    case undefined:
    default:
      return 'a value'
  }
}
