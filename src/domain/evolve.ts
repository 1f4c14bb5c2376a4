import { InvariantError, assert } from '../assert/index.ts'
import type { LogRecord, Origin } from '../log/index.ts'
import {
  REDACTED,
  freezeDeep,
  isJsonArray,
  isJsonObject,
  kindOf,
  membersOf,
} from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Domain } from './define-domain.ts'
import type { AnyEventType } from './event-type.ts'
import { ERASURE } from './reserved-names.ts'

/** The part of a record that folding needs. */
export type Foldable = Pick<LogRecord, 'id' | 'ts' | 'type' | 'data' | 'origin' | 'v'> &
  Partial<Pick<LogRecord, 'seq'>>

/**
 * Folds one accepted event into the state. Pure; validates nothing, since the gate did. The plain objects and
 * arrays of the state that it returns are frozen.
 *
 * A type that this domain does not know leaves the state alone, so an older reader can read on. So does a record
 * whose personal members were erased, where its reducer cannot do without them.
 *
 * @throws {@link InvariantError} when the record's version is newer than this domain's, an upcast fails, or its
 *   reducer returns nothing; {@link DefinitionError} `invalid_state` when the first fold of an event type gives a
 *   state that JSON cannot hold
 */
export function evolve<State>(domain: Domain<State>, state: State, record: Foldable): State {
  return freezeDeep(evolveUnfrozen(domain, state, record), state)
}

/** Like {@link evolve}, for folds of many records: only the last state has to be frozen, before it is shown. */
export function evolveUnfrozen<State>(
  domain: Domain<State>,
  state: State,
  record: Foldable,
): State {
  const entry = domain.events.get(record.type)
  if (!entry) return record.type === ERASURE ? stateLeft<State>(record) : state
  const fact = record.origin.commit === undefined ? record : unmarked(record)
  let next: State | undefined
  try {
    const data = lifted(entry, record)
    next =
      record.v === (entry.version ?? 1)
        ? entry.reduce(state, data, fact)
        : reduceLifted(entry, state, { data, record: fact })
  } catch (error) {
    if (!holdsRedacted(record.data)) throw error
    next = state
  }
  if (next !== undefined) return next
  if (holdsRedacted(record.data)) return state
  assert(
    false,
    `Cannot fold "${record.type}": its reducer returned undefined; return the next state`,
  )
}

/** A commit is folded before it is marked, so reducers see no marks. */
export function unmarked<Of extends Pick<Foldable, 'origin'>>(record: Of): Of {
  return { ...record, origin: withoutMark(record.origin) }
}

function withoutMark({ commit: _, ...origin }: Origin): Origin {
  return origin
}

/** The state that an erasure leaves: what of it was not personal. */
export function stateLeft<State>({ data }: Pick<Foldable, 'data'>): State {
  // The library put there what was left of a state of this domain.
  return (membersOf(data)['state'] ?? {}) as State
}

/** Whether something in a value was taken out. */
export function holdsRedacted(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.some(holdsRedacted)
  return isJsonObject(value) ? Object.values(value).some(holdsRedacted) : value === REDACTED
}

/** What an upcast makes may not be what the reducer expects. */
function reduceLifted<State>(
  entry: AnyEventType<State>,
  state: State,
  { data, record }: { readonly data: Json; readonly record: Foldable },
): State {
  try {
    return entry.reduce(state, data, record)
  } catch (cause) {
    const why = `its reducer threw on data lifted from version ${record.v}`
    throw new InvariantError(`${cannotFold(record)}: ${why}`, { cause })
  }
}

/**
 * Folds a thread's log into the state it describes, oldest record first.
 *
 * @throws {@link InvariantError} when a seq is missing: the log lost an event.
 */
export function replay<State>(domain: Domain<State>, records: Iterable<LogRecord>): State {
  let state = domain.initial
  let expected = 0
  for (const record of records) {
    assert(record.seq === expected, `Cannot replay: expected seq ${expected}, got ${record.seq}`)
    state = evolveUnfrozen(domain, state, record)
    // Counted here, never read back: a renumbered log must not vouch for itself.
    expected++
  }
  return freezeDeep(state)
}

/**
 * The data of a record in the newest version of its type.
 *
 * @throws {@link InvariantError} when the record's version is newer than this domain's, or an upcast fails
 */
export function lifted<State>(
  entry: AnyEventType<State>,
  record: Pick<Foldable, 'type' | 'data' | 'v' | 'seq'>,
): Json {
  const current = entry.version ?? 1
  assert(
    record.v <= current,
    `Cannot fold "${record.type}": version ${record.v} is newer than ${current}`,
  )
  return record.v === current ? record.data : liftedBy(entry.upcasts ?? [], record)
}

function liftedBy(
  upcasts: NonNullable<AnyEventType<never>['upcasts']>,
  record: Parameters<typeof lifted>[1],
): Json {
  let { data, v } = record
  for (const lift of upcasts.slice(v - 1)) {
    data = liftedOnce(lift, data, { ...record, v })
    v++
  }
  return data
}

function liftedOnce(
  lift: (data: Json) => Json,
  data: Json,
  record: Pick<Foldable, 'type' | 'v' | 'seq'>,
): Json {
  const which = (): string => `${cannotFold(record)}: its upcast from version ${record.v}`
  let next: Json | undefined
  try {
    next = lift(data)
  } catch (cause) {
    throw new InvariantError(`${which()} threw`, { cause })
  }
  if (next !== undefined && !(next instanceof Promise)) return next
  assert(false, `${which()} returned ${kindOf(next)}; return data of version ${record.v + 1}`)
}

function cannotFold({ type, seq }: Pick<Foldable, 'type' | 'seq'>): string {
  return `Cannot fold the record "${type}"${seq === undefined ? '' : ` with seq ${seq}`}`
}
