import { PLAIN_NAME, isObjectMember, isPlainName } from '../domain/index.ts'
import type { AgentActivity } from '../activity/index.ts'
import { INDEX_TEXT_CHARS_MAX } from '../log/index.ts'
import type { IndexValue } from '../log/index.ts'
import { ApplicationError, callDeclared } from './app-error.ts'

/** Names that the index of one application declares. */
export const INDEX_NAMES_MAX = 16

/**
 * What threads can be found by: names of 1 to 64 letters, digits, "_" or "-", each with a pure function
 * of the state and of what its agents do. `undefined` leaves the name out, so that no value finds the
 * thread by it.
 */
export type DeclaredIndex<State, Name extends string = string> = Readonly<
  Record<Name, (state: State, agents: AgentActivity) => IndexValue | undefined>
>

/** The query of `GET /api/threads` uses these names itself. */
const TAKEN: readonly string[] = ['app', 'after', 'limit', 'since', 'orderBy']

/** Says why an index cannot be declared; `undefined` when it can. */
export function whyNoIndex(index: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(index)
  if (names.length > INDEX_NAMES_MAX) {
    return `its index has ${names.length} names, at most ${INDEX_NAMES_MAX} are allowed`
  }
  for (const name of names) {
    const entry = `its index "${name}"`
    if (!isPlainName(name) || isObjectMember(name)) return `${entry} is not ${PLAIN_NAME}`
    if (TAKEN.includes(name)) return `${entry} is a name that the list of threads uses itself`
    if (typeof index[name] !== 'function') return `${entry} is no function of the state`
  }
  return undefined
}

/** @throws {@link ApplicationError} `index_failed` when a function throws or returns no such value */
export function indexValues<State>(
  app: { readonly name: string; readonly index: DeclaredIndex<State> },
  state: State,
  agents: AgentActivity,
): Readonly<Record<string, IndexValue>> {
  const values: Record<string, IndexValue> = {}
  for (const [name, valueOf] of Object.entries(app.index)) {
    const subject = () => `Cannot index a thread of "${app.name}": its index "${name}"`
    const value = callDeclared('index_failed', subject, () => valueOf(state, agents))
    if (value === undefined) continue
    const why = whyNoValue(value)
    if (why !== undefined) {
      throw new ApplicationError('index_failed', `${subject()} returned ${why}`)
    }
    values[name] = value
  }
  return values
}

/** Says why threads cannot be found by a value; `undefined` when they can. */
export function whyNoValue(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (typeof value !== 'string') return `${typeof value}, no text, number, boolean or null`
  if (value.length <= INDEX_TEXT_CHARS_MAX) return undefined
  return `a text of ${value.length} characters, at most ${INDEX_TEXT_CHARS_MAX} are allowed`
}
