import type { Context } from 'hono'
import type { OpenedApp } from '../application/index.ts'
import type { IssuedGrant, OperatorSession } from './tokens.ts'

/** Who sends a request, once they are recognised. */
export interface Entrant {
  readonly role: string
  /** What quotas are counted by; absent for the operator, who has none. */
  readonly id?: string
  /** The page or channel that they come by, when it is not called like the role. */
  readonly surface?: string
  /** The person or system that they are, as an opaque id. */
  readonly actor?: string
  /** What lets them in, where that can end while they stay. */
  readonly pass?: IssuedGrant | OperatorSession
}

/** Recognises who sends a request, and decides whether they may. */
export interface Access {
  /** @throws {@link ProblemError} `unauthenticated` unless the request may list all threads */
  requireOperator(context: Context): Promise<void>
  /**
   * In which role a request may use a thread. `among` leaves out other roles than the operator.
   *
   * @throws {@link ProblemError} `unauthenticated` when nothing says who it is, `not_found` when they may
   *   not enter
   */
  entrantIn(context: Context, place: Place): Promise<Entrant>
  /** The person or system that acts by a request, as an opaque id. */
  actor(context: Context, entrant: Entrant): string | undefined
  /** Records that the page of a role was opened by its link, where links let people in. */
  recordOpening(context: Context, place: Place): Promise<void>
  /** Fires when the entrant may stay no longer; nothing is watched once the answer has closed. */
  untilEnded(
    entrant: Entrant,
    answer: { onceClosed(release: () => void): void },
  ): Promise<AbortSignal>
}

/** An application, as far as it says who may enter. */
export type Owner = Pick<OpenedApp, 'name' | 'hasRole' | 'hasRoles'>

export interface Place {
  readonly thread: string
  /** Whose the thread is, or would be once it begins. */
  readonly owner?: Owner | undefined
  /** The thread is empty, and something would begin it. */
  readonly begins?: boolean
  readonly among?: readonly string[]
}
