import type { Context } from 'hono'
import { z } from 'zod'
import type { EventLog, OpenedApp } from 'throughline'
import type { Access, Quotas } from 'throughline/server/extend'
import type { DocumentStore } from '../documents/index.ts'
import type { TeamState } from '../events/index.ts'
import type { Team } from '../session/index.ts'

export interface TeamRouteParts {
  readonly opened: OpenedApp<TeamState>
  readonly log: EventLog
  readonly team: Team
  readonly documents: DocumentStore
  /** The folder that the team works in. */
  readonly folder: string
  /** A fresh UUID. */
  readonly id: () => string
  readonly access: Access
  readonly quotas: Quotas
  readonly onFault: (error: unknown) => void
  /** `newest`: a window of the newest events, whatever position a reader names. */
  readonly served: 'all' | 'newest'
  readonly heartbeatMs?: number | undefined
}

/** The body of a request that says all by its address. */
export const nothing = z.strictObject({})

/** Whom a request is recorded as an act of. */
export async function proposer(
  context: Context,
  { access }: Pick<TeamRouteParts, 'access'>,
): Promise<{ readonly actor?: string | undefined }> {
  return { actor: access.actor(context, await access.entrant(context)) }
}
