import type { ActivityMessage, MessagesSnapshotEvent } from '@ag-ui/core'

/** Where the stock client looks in the metadata of a `MESSAGES_SNAPSHOT`. */
const NAMESPACE = '@ag-ui/client'

/**
 * Whether an activity that a snapshot leaves out stays. A snapshot without activities leaves them all,
 * unless its metadata says which types it owns.
 */
export function keepsActivity(
  event: MessagesSnapshotEvent,
  { activityType }: ActivityMessage,
): boolean {
  const owned = ownedTypes(event)
  if (owned === 'unsaid') return !event.messages.some(({ role }) => role === 'activity')
  return owned !== 'all' && !owned.includes(activityType)
}

function ownedTypes({ metadata }: MessagesSnapshotEvent): 'unsaid' | 'all' | readonly string[] {
  if (!metadata || !Object.hasOwn(metadata, NAMESPACE)) return 'unsaid'
  const said: unknown = metadata[NAMESPACE]
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return []
  if (!('authoritativeActivityTypes' in said)) return 'unsaid'
  const types: unknown = said.authoritativeActivityTypes
  if (types === null) return 'all'
  const isList = Array.isArray(types) && types.every((type) => typeof type === 'string')
  return isList ? types : []
}
