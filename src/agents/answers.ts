import { AgentError } from './agent-error.ts'
import type { Wait } from '../activity/index.ts'
import { isJsonObject } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Answered } from './scope.ts'

/** One wait with the values that answer it. */
export interface WaitAnswer {
  readonly wait: Wait
  readonly values: Answered
}

/**
 * Matches values to what is waited for: by name, or under a wait's id where two ask for the same name.
 *
 * @throws {@link AgentError} `invalid_values` naming what is missing, ambiguous or not asked for
 */
export function answersTo(waits: readonly Wait[], values: Answered): readonly WaitAnswer[] {
  const known = new Set(waits.flatMap(({ id, requestKeys }) => [id, ...Object.keys(requestKeys)]))
  // Why somebody did not agree may be said without being asked for.
  if (waits.some(({ reason }) => reason === 'tool_approval')) known.add('reason')
  const unknown = Object.keys(values).find((key) => !known.has(key))
  if (unknown !== undefined) throw invalid(`nobody asked for "${unknown}"`)
  return waits.map((wait) => ({ wait, values: answer(wait, waits, values) }))
}

function answer(wait: Wait, all: readonly Wait[], values: Answered): Answered {
  const own = values[wait.id]
  const given = isJsonObject(own) ? own : values
  const answered: Record<string, Json> = {}
  for (const key of Object.keys(wait.requestKeys)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (value === undefined) throw invalid(`"${key}" is missing (${wait.requestKeys[key]})`)
    const asking = all.filter(({ requestKeys }) => key in requestKeys)
    if (given === values && asking.length > 1) {
      const ids = asking.map(({ id }) => id).join(', ')
      throw invalid(
        `"${key}" is asked for ${asking.length} times; give it under each wait's id: ${ids}`,
      )
    }
    answered[key] = value
  }
  if (wait.reason !== 'tool_approval') return answered
  if (typeof answered['approved'] !== 'boolean') throw invalid('"approved" is not true or false')
  const reason = given['reason']
  return typeof reason === 'string' ? { ...answered, reason } : answered
}

function invalid(why: string): AgentError {
  return new AgentError('invalid_values', `Cannot resume: ${why}`)
}
