import type { Json } from '../json/index.ts'
import type { Role, RoleView } from './role.ts'

export type RoleRead<State> = Role<State>['read']

/** Says why a role's `read` cannot be used: Node runs a program without checking its types. */
export function whyNoReading<State>(read: RoleRead<State>): string | undefined {
  if (read === 'all' || read === 'redacted') return undefined
  const { state, record }: Partial<RoleView<State>> = read ?? {}
  if (typeof state !== 'function') {
    return 'does not say what it may read: give "all", "redacted", or record and state'
  }
  if (record === undefined || record === 'all' || record === 'redacted') return undefined
  if (typeof record === 'function') return undefined
  return 'has a `record` that is neither "all", "redacted" nor a function; leave it out to show no record'
}

export function isRedacted<State>(read: RoleRead<State>): boolean {
  return viewOf(read).record === 'redacted'
}

/** The declaration of a role's view, written out. */
export function viewOf<State>(read: RoleRead<State>): RoleView<State> {
  if (typeof read === 'object') return read
  // The states of a domain are what its events made, and those are JSON.
  return { record: read, state: (state) => state as Json }
}
