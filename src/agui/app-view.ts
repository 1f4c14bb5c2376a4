import { ApplicationError, OPERATOR, RoleReading } from '../application/index.ts'
import type { App } from '../application/index.ts'
import type { FollowedState, View } from '../faces/index.ts'

/** The reader. Without an application every record is shown, and no state. */
export interface AguiOptions<State = unknown> {
  /** The application of the thread. Its domain folds the state. */
  readonly app?: App<State>
  /** One of the application's roles; by default the operator. */
  readonly role?: string
}

export interface AppView extends Pick<View, 'record'> {
  /** The state before the first record; absent without an application. */
  readonly state?: FollowedState
}

/**
 * Reads a thread as a role of an application sees it.
 *
 * @throws {@link ApplicationError} `unknown_role`
 */
export function appView<State>({ app, role = OPERATOR }: AguiOptions<State>): AppView {
  if (!app && role === OPERATOR) return { record: (record) => record }
  const declared = role === OPERATOR ? app?.operatorReads : app?.roles.get(role)?.read
  if (!app || !declared) {
    const where = app ? `in "${app.name}"` : 'without an application'
    throw new ApplicationError('unknown_role', `Cannot read as "${role}" ${where}: no such role`)
  }
  const reading = new RoleReading(app, declared)
  return { record: (stored) => reading.record(stored), state: reading.follow() }
}
