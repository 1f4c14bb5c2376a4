import { diff } from '../domain/index.ts'
import type { Operation } from '../domain/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import type { FollowedState } from './view.ts'

/** How one record changed the state that a role sees. */
export interface StateChange {
  readonly seq: number
  readonly ops: readonly Operation[]
}

/** Folds a role's state on and tells how each record changes it, in one pass. */
export class StateChanges {
  readonly #followed: FollowedState
  #before: Json

  constructor(followed: FollowedState) {
    this.#followed = followed
    this.#before = followed.state
  }

  /** Takes the next record of the thread. Without operations it changed nothing that the role sees. */
  take(record: LogRecord): StateChange {
    this.#followed.take(record)
    const after = this.#followed.state
    const ops = diff(this.#before, after)
    this.#before = after
    return { seq: record.seq, ops }
  }
}
