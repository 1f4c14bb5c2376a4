import { isPromise, whyNotJson } from '../json/index.ts'
import { DefinitionError } from './definition-error.ts'
import type { AnyEventType } from './event-type.ts'

export const JSON_MEND = 'keep texts, finite numbers, true, false, null, lists and plain objects'

/**
 * An event type whose first fold in a process is checked: the state must be one that JSON can hold. Later folds
 * cost what the reducer costs.
 */
export function checkedOnce<State>(type: string, entry: AnyEventType<State>): AnyEventType<State> {
  const checked = {
    ...entry,
    reduce: (...given: Parameters<typeof entry.reduce>): State => {
      const next = entry.reduce(...given)
      // `evolve` refuses undefined each time.
      if (next !== undefined) requireState(type, next, given[0])
      checked.reduce = entry.reduce
      return next
    },
  }
  return checked
}

function requireState(type: string, next: unknown, before: unknown): void {
  const why = isPromise(next)
    ? 'its reducer returned a promise; return the next state itself'
    : whyNoState(next, before)
  if (why !== undefined) throw new DefinitionError('invalid_state', `Cannot fold "${type}": ${why}`)
}

function whyNoState(next: unknown, before: unknown): string | undefined {
  const why = whyNotJson(next, 'state', before)
  return why && `its reducer returned what JSON cannot hold: ${why}; ${JSON_MEND}`
}
