import type { Context } from 'hono'
import type { OpenedApp } from '../../application/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { CallerGrant, IssuedGrant, OperatorSession } from './tokens.ts'

/** The authenticated sender of a request. */
export interface Entrant {
  readonly role: string
  /** The key of the quotas; absent for the operator, which has none. */
  readonly id?: string
  /** The page or channel that they come by, when it is not called like the role. */
  readonly surface?: string
  /** The person or system that they are, as an opaque id. */
  readonly actor?: string
  /** Its first records must find a thread empty: a thread belongs to the sender who begins it. */
  readonly beginsAlone?: boolean
  /** The application's own JSON about the request. */
  readonly context?: JsonObject
  /** The grant that lets them in, if it can end while a stream is open. */
  readonly pass?: CallerGrant | IssuedGrant | OperatorSession
  /** The agents that a caller may ask; absent where the role alone says it. */
  readonly agents?: readonly string[]
}

/** Recognises who sends a request, and decides whether they may. */
export interface Access {
  /** @throws {@link ProblemError} `unauthenticated` unless the request may list all threads */
  requireOperator(context: Context): Promise<void>
  /**
   * Returns the sender of a request, independent of a thread.
   *
   * @throws {@link ProblemError} `unauthenticated` when nothing valid says who it is
   */
  entrant(context: Context): Promise<Entrant>
  /**
   * Refuses a request without credentials that verify, before its body is read, which names the thread.
   * Returns its sender, where it is known without the thread.
   *
   * @throws {@link ProblemError} `unauthenticated`, `not_found`
   */
  requireCredentials(context: Context): Promise<Entrant | undefined>
  /**
   * In which role a request may use a thread. `among` leaves out other roles than the operator.
   *
   * @throws {@link ProblemError} `unauthenticated` when nothing says who it is, `not_found` when they may
   *   not enter
   */
  entrantIn(context: Context, place: ThreadToEnter): Promise<Entrant>
  /**
   * The same once the request has said whose thread it begins. `entrant` is who asked to begin one.
   *
   * @throws {@link ProblemError} as `entrantIn`
   */
  entrantOf(context: Context, entrant: Entrant, begun: ThreadToBegin): Promise<Entrant>
  /** The person or system that acts by a request, as an opaque id. */
  actor(context: Context, entrant: Entrant): string | undefined
  /** Records that the page of a role was opened by its link, where links let people in. */
  recordOpening(context: Context, place: ThreadToEnter): Promise<void>
  /** Fires when the entrant may stay no longer; nothing is watched once the answer has closed. */
  untilEnded(
    entrant: Entrant,
    answer: { onceClosed(release: () => void): void },
  ): Promise<AbortSignal>
}

/** The part of an application that decides about access. */
export type Owner = Pick<OpenedApp, 'name' | 'hasRole' | 'hasRoles'>

export interface ThreadToEnter {
  readonly thread: string
  /** The owner of the thread, or of the one that the request begins. */
  readonly owner?: Owner | undefined
  /** The thread is empty, and something would begin it. */
  readonly begins?: boolean
  readonly among?: readonly string[]
}

/** An empty thread that a request begins as an application's. */
export interface ThreadToBegin extends ThreadToEnter {
  readonly owner: Owner
}
