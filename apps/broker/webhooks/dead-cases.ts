import { savedRows } from 'throughline/server/extend'
import type { Cursors, OpenRow } from 'throughline/server/extend'

/** The consumer of the feed that sends webhooks; another version looks at all cases again. */
export const DELIVERIES = { name: 'broker.webhooks', version: '3' }
/** The rows of the cases with dead letters; they hold when the case was opened. */
const DEAD_CASES = { name: 'broker.dead-cases', version: '1' }

export interface SavedDeadCases {
  /** The position in the feed up to which all threads are listed or still to be looked at. */
  readonly position: string
  /** When each case was opened, in milliseconds since the epoch. */
  readonly openedAt: ReadonlyMap<string, number>
  /** Threads that grew and are still to be looked at. */
  readonly unseen: readonly string[]
}

/** Notes that a case has dead letters, or has none any more. */
export async function saveDeadCase(
  cursors: Cursors | undefined,
  thread: string,
  openedAt: number | undefined,
): Promise<void> {
  const { name, version } = DEAD_CASES
  await cursors?.save(name, version, [{ thread, dueAt: openedAt }])
}

/** Loads the cases with dead letters, as the process that sends webhooks has saved them. */
export async function savedDeadCases(cursors: Cursors | undefined): Promise<SavedDeadCases> {
  const { position, rows } = await savedRows(cursors, DELIVERIES)
  const dead: readonly OpenRow[] = (await cursors?.open(DEAD_CASES.name)) ?? []
  return {
    position,
    openedAt: new Map(dead.map(({ thread, dueAt }) => [thread, dueAt])),
    unseen: rows.filter(({ dueAt }) => dueAt === 0).map(({ thread }) => thread),
  }
}
