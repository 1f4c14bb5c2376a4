import { isObjectMember } from '../domain/index.ts'
import type { IndexValue } from '../log/index.ts'
import { ApplicationError } from './app-error.ts'

/** Names that the index of one application declares. */
export const INDEX_NAMES_MAX = 16
/** Of a text that a thread can be found by. */
export const INDEX_TEXT_CHARS_MAX = 256

/**
 * What threads can be found by: names of 1 to 64 letters, digits, "_" or "-", each with a pure function
 * of the state. `undefined` leaves the name out, so that no value finds the thread by it.
 */
export type DeclaredIndex<State> = Readonly<
  Record<string, (state: State) => IndexValue | undefined>
>

const NAME = /^[\w-]{1,64}$/
/** The query of `GET /api/threads` uses these names itself. */
const TAKEN: readonly string[] = ['app', 'after', 'limit']

/** Says why an index cannot be declared; `undefined` when it can. */
export function whyNoIndex(index: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(index)
  if (names.length > INDEX_NAMES_MAX) {
    return `its index has ${names.length} names, at most ${INDEX_NAMES_MAX} are allowed`
  }
  for (const name of names) {
    const entry = `its index "${name}"`
    if (!NAME.test(name) || isObjectMember(name)) {
      return `${entry} is not 1 to 64 letters, digits, "_" or "-"`
    }
    if (TAKEN.includes(name)) return `${entry} is a name that the list of threads uses itself`
    if (typeof index[name] !== 'function') return `${entry} is no function of the state`
  }
  return undefined
}

/** @throws {@link ApplicationError} `index_failed` when a function throws or returns no such value */
export function indexValues<State>(
  app: { readonly name: string; readonly index: DeclaredIndex<State> },
  state: State,
): Readonly<Record<string, IndexValue>> {
  const values: Record<string, IndexValue> = {}
  for (const [name, valueOf] of Object.entries(app.index)) {
    const value = guarded(app.name, name, () => valueOf(state))
    if (value === undefined) continue
    const why = whyNoValue(value)
    if (why !== undefined) {
      throw new ApplicationError('index_failed', failureOf(app.name, name, `returned ${why}`))
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

function guarded<Value>(app: string, name: string, compute: () => Value): Value {
  try {
    return compute()
  } catch (error) {
    const why = `threw: ${error instanceof Error ? error.message : String(error)}`
    throw new ApplicationError('index_failed', failureOf(app, name, why), { cause: error })
  }
}

function failureOf(app: string, name: string, why: string): string {
  return `Cannot index a thread of "${app}": its index "${name}" ${why}`
}
