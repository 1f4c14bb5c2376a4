import { REDACTED, changeAt, isJsonArray } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Domain } from './define-domain.ts'
import { holdsRedacted, lifted, stateLeft, unmarked } from './evolve.ts'
import type { Foldable } from './evolve.ts'
import { ERASURE } from './reserved-names.ts'

/**
 * Other values in the place of personal ones. Two of each kind, so that a condition on a value differs in one
 * of them. The first keeps the shape of a text.
 */
const OTHERWISE: readonly ((value: Json) => Json)[] = [
  otherwise({
    text: (text) => (text === '' ? 'b' : text.replace(/[\p{L}\p{N}]/gu, next)),
    number: (number) => -number - 1,
    boolean: (value) => !value,
    list: (items) => items,
  }),
  otherwise({
    text: (text) => (text === '' ? 'a' : ''),
    number: (number) => Math.abs(number) * 1_000_000 + 1_000_003,
    boolean: () => true,
    list: () => [],
  }),
]

interface Others {
  readonly text: (text: string) => string
  readonly number: (number: number) => number
  readonly boolean: (value: boolean) => boolean
  readonly list: (items: readonly Json[]) => readonly Json[]
}

function otherwise(others: Others): (value: Json) => Json {
  const other = (value: Json): Json => {
    if (typeof value === 'string') return others.text(value)
    if (typeof value === 'number') return others.number(value)
    if (typeof value === 'boolean') return others.boolean(value)
    if (value === null) return others.text('')
    if (isJsonArray(value)) return others.list(value.map(other))
    const members = Object.entries(value).map(([name, given]) => [name, other(given ?? null)])
    return Object.fromEntries(members) as Json
  }
  return other
}

/** The next letter or digit. */
function next(character: string): string {
  if (/\p{N}/u.test(character)) return String((Number.parseInt(character, 10) + 1) % 10 || 1)
  const code = character.codePointAt(0) ?? 0
  return String.fromCodePoint(/[zZ]/.test(character) ? code - 25 : code + 1)
}

/**
 * The states that the same records give where their personal members hold other values. What differs from the
 * real state came from personal data.
 */
export type OtherStates<State> = readonly State[]

export function initialOthers<State>({ initial }: Domain<State>): OtherStates<State> {
  return OTHERWISE.map(() => initial)
}

/**
 * Folds one record into the other states. A reducer that throws on another value leaves that state as it was:
 * then all that the event changes counts as personal. Pure.
 */
export function evolveOthers<State>(
  domain: Domain<State>,
  others: OtherStates<State>,
  record: Foldable,
): OtherStates<State> {
  const entry = domain.events.get(record.type)
  if (!entry) return record.type === ERASURE ? others.map(() => stateLeft<State>(record)) : others
  const { personal = [], reduce } = entry
  // What an erased record changed cannot be told apart any more: all of it counts as personal.
  if (personal.length > 0 && holdsRedacted(record.data)) return others
  const data = lifted(entry, record)
  const fact = record.origin.commit === undefined ? record : unmarked(record)
  const next = others.map((state, at) => {
    const change = OTHERWISE[at] ?? (() => REDACTED)
    const given = personal.reduce<Json>((rest, path) => changeAt(rest, path, change), data)
    try {
      return reduce(state, given, fact) ?? state
    } catch {
      return state
    }
  })
  return next.every((state, at) => state === others[at]) ? others : next
}

/**
 * Replaces in a state whatever the other states have otherwise. Parts that a state shares with one before it keep
 * what was given for them, so that only what has changed differs.
 */
export class TracedRedaction {
  readonly #known = new WeakMap<object, Redacted>()

  of(state: Json, others: readonly Json[]): Json {
    if (areAll(others, state)) return state
    if (typeof state !== 'object' || state === null) return REDACTED
    const known = this.#known.get(state)
    if (known && others.every((other, at) => other === known.others[at])) return known.shown
    const shown = this.#shown(state, others)
    this.#known.set(state, { others, shown })
    return shown
  }

  #shown(state: NonNullable<Json>, others: readonly Json[]): Json {
    if (isPlainArray(state)) {
      const lists = others.filter(isPlainArray).filter(({ length }) => length === state.length)
      if (lists.length < others.length) return REDACTED
      return state.map((item, at) => this.#part(item, lists, at))
    }
    if (!isPlainObject(state)) return REDACTED
    const objects = others.filter(isPlainObject)
    return objects.length < others.length ? REDACTED : this.#members(state, objects)
  }

  /** A member that is there for another value alone, or for none, has a name that tells of the value. */
  #members(state: Members, others: readonly Members[]): Json {
    const names = Object.keys(state)
    const areLike = [state, ...others].every((each) => areMembersOf(each, names))
    if (!areLike) return this.#unlikeMembers(state, others)
    const shown: Record<string, Json> = {}
    for (const name of names) shown[name] = this.#part(state[name] ?? null, others, name)
    return shown
  }

  #unlikeMembers(state: Members, others: readonly Members[]): Json {
    const [first = state] = others
    const names = new Set([...Object.keys(state), ...others.flatMap((each) => Object.keys(each))])
    const members = [...names].map((name): readonly [string, Json] => {
      if (!has(state, name) || !has(first, name)) return [REDACTED, REDACTED]
      if (!others.every((each) => has(each, name))) return [name, REDACTED]
      return [name, this.#part(state[name] ?? null, others, name)]
    })
    return Object.fromEntries(members)
  }

  #part(value: Json, others: readonly (Members | readonly Json[])[], at: string | number): Json {
    const parts = others.map((each) => (each as Record<string | number, Json>)[at] ?? null)
    return this.of(value, parts)
  }
}

interface Redacted {
  readonly others: readonly Json[]
  readonly shown: Json
}

/** Whether an object has just these members, in their order, and each can be copied by its name. */
function areMembersOf(members: Members, names: readonly string[]): boolean {
  const own = Object.keys(members)
  return (
    own.length === names.length &&
    own.every((name, at) => {
      return name === names[at] && members[name] !== undefined && name !== '__proto__'
    })
  )
}

function areAll(others: readonly Json[], state: Json): boolean {
  return others.every((other) => other === state)
}

type Members = Readonly<Record<string, Json | undefined>>

function has(members: Members, name: string): boolean {
  return Object.hasOwn(members, name) && members[name] !== undefined
}

function isPlainArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** A `Map` or an instance of a class shows nothing of what it holds. */
function isPlainObject(value: Json): value is Members {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
