import type { Hono } from 'hono'
import { mountArtifacts } from './artifact-routes.ts'
import { mountBudget } from './budget-routes.ts'
import { mountDocuments } from './document-routes.ts'
import { mountEvents } from './events-route.ts'
import { mountMessages } from './message-routes.ts'
import { mountPermissions } from './permission-routes.ts'
import type { TeamRouteParts } from './route-parts.ts'
import { mountTranscripts } from './transcript-routes.ts'

/** The team over HTTP. Returns what ends its streams. */
export function mountTeam(app: Hono, parts: TeamRouteParts): () => void {
  mountMessages(app, parts)
  mountPermissions(app, parts)
  mountBudget(app, parts)
  mountDocuments(app, parts)
  mountArtifacts(app, parts)
  mountTranscripts(app, parts)
  return mountEvents(app, parts)
}
