import { assert } from '../assert/index.ts'
import type { LogRecord } from '../log/index.ts'
import { freezeDeep } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Domain } from './define-domain.ts'
import type { AnyEventType } from './event-type.ts'

/** The part of a record that folding needs. */
export type Foldable = Pick<LogRecord, 'id' | 'ts' | 'type' | 'data' | 'origin' | 'v'>

/**
 * Folds one accepted event into the state. Pure; validates nothing, since the gate did. The plain objects and
 * arrays of the state that it returns are frozen.
 *
 * A type that this domain does not know leaves the state alone, so an older reader can read on.
 *
 * @throws {@link InvariantError} when the record's version is newer than this domain's, or its reducer returns
 *   nothing.
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
  if (!entry) return state
  const next = entry.reduce(state, lifted(entry, record), record)
  if (next !== undefined) return next
  assert(
    false,
    `Cannot fold "${record.type}": its reducer returned undefined; return the next state`,
  )
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
 * @throws {@link InvariantError} when the record's version is newer than this domain's
 */
export function lifted<State>(
  entry: AnyEventType<State>,
  record: Pick<Foldable, 'type' | 'data' | 'v'>,
): Json {
  const current = entry.version ?? 1
  assert(
    record.v <= current,
    `Cannot fold "${record.type}": version ${record.v} is newer than ${current}`,
  )
  return (entry.upcasts ?? []).slice(record.v - 1).reduce((data, lift) => lift(data), record.data)
}
