import type { Logger } from 'pino'
import type { OpenedApp, Throughline } from '../../application/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { Access } from '../access/access.ts'
import type { EventStreams } from '../streams/event-stream.ts'
import type { KeyedRequests } from './keyed-requests.ts'
import type { Quotas } from '../access/quotas.ts'
import type { ThreadEntry } from './thread-entry.ts'

export interface RouteParts {
  readonly throughline: Throughline
  readonly access: Access
  readonly entry: ThreadEntry
  readonly quotas: Quotas
  readonly keyed: KeyedRequests
  readonly streams: EventStreams
  /** Aborted when the routes are closed: requests that are held are answered. */
  readonly closing: AbortSignal
  readonly logger: Logger
  readonly onFault?: ((error: unknown, request: Request) => void) | undefined
  readonly carried: Carried
  readonly version?: string
}

/** Returns the application's addition to answers and streams, with its name. */
export type Carried = (
  owner: OpenedApp,
  thread: string,
) => Promise<{ readonly event: string; readonly data: JsonObject } | undefined>
