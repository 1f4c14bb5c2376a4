import { freezeDeep } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import type { Role, RoleView } from './role.ts'

/** What a role reads of the threads of its application. Its functions throw what declared ones throw. */
export interface RoleReading<State> {
  /** Whether it reads every record as it is stored. */
  readonly isUnfiltered: boolean
  /** The record as the role may see it, or undefined when it may not. */
  record(stored: LogRecord): LogRecord | undefined
  state(state: State): Json
}

/** Reads a role's declaration: without `record` no record is shown. */
export function readingOf<State>(read: Role<State>['read']): RoleReading<State> {
  const { record, state } = read === 'all' ? everything<State>() : read
  return {
    isUnfiltered: record === 'all',
    record: (stored) => {
      if (record === 'all') return stored
      return record && record(freezeDeep(stored))
    },
    state,
  }
}

/** Says why a role's `read` cannot be used: Node runs a program without checking its types. */
export function whyNoReading<State>(read: Role<State>['read']): string | undefined {
  if (read === 'all') return undefined
  const { state, record }: Partial<RoleView<State>> = read ?? {}
  if (typeof state !== 'function') {
    return 'does not say what it may read: give "all", or record and state'
  }
  if (record === undefined || record === 'all' || typeof record === 'function') return undefined
  return 'has a `record` that is neither "all" nor a function; leave it out to show no record'
}

function everything<State>(): RoleView<State> {
  // A domain's state is what its events made, and those are JSON.
  return { record: 'all', state: (state) => state as Json }
}
