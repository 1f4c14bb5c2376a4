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

/** Says why an event type cannot record the reveals of a role. */
export function whyNoReveal<State>({
  reveal,
  read,
  propose = [],
}: Role<State>): string | undefined {
  if (reveal === undefined) return undefined
  if (!isRedacted(read)) return `reveals by "${reveal}", and nothing is redacted for it`
  if (propose === 'all' || propose.includes(reveal)) return undefined
  return `reveals by "${reveal}", which it may not propose; add it to \`propose\``
}

export function isRedacted<State>(read: RoleRead<State>): boolean {
  return viewOf(read).record === 'redacted'
}

/** What a redacted role reads while its reveal holds. */
export function revealed<State>(read: RoleRead<State>): RoleRead<State> {
  return { ...viewOf(read), record: 'all' }
}

/** What any role reads of a thread whose person was erased. */
export function redacted<State>(read: RoleRead<State>): RoleRead<State> {
  return { ...viewOf(read), record: 'redacted' }
}

/** The declaration of a role's view, written out. */
export function viewOf<State>(read: RoleRead<State>): RoleView<State> {
  if (typeof read === 'object') return read
  // The states of a domain are what its events made, and those are JSON.
  return { record: read, state: (state) => state as Json }
}
