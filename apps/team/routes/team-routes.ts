import type { Hono } from 'hono'
import type { OpenedApp } from 'throughline/application'
import type { EventLog } from 'throughline/log'
import type { Access, Quotas } from 'throughline/server'
import type { DocumentStore } from '../documents/index.ts'
import type { TeamState } from '../events/index.ts'
import type { Team } from '../session/index.ts'
import { mountArtifacts } from './artifact-routes.ts'
import { mountDocuments } from './document-routes.ts'
import { mountEvents } from './events-route.ts'
import { mountMessages } from './message-routes.ts'

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

/** The team over HTTP. Returns what ends its streams. */
export function mountTeam(app: Hono, parts: TeamRouteParts): () => void {
  mountMessages(app, parts)
  mountDocuments(app, parts)
  mountArtifacts(app, parts)
  return mountEvents(app, parts)
}
