import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Throughline } from '../../application/index.ts'
import { ForeignAccess } from '../access/foreign-access.ts'
import { Quotas } from '../access/quotas.ts'
import { TokenAccess } from '../access/token-access.ts'
import { Tokens } from '../access/tokens.ts'
import { loggableError } from '../problems/loggable-error.ts'
import { EventStreams } from '../streams/event-stream.ts'
import { KeyedRequests } from './keyed-requests.ts'
import type { Carried, RouteParts } from './route-parts.ts'
import type { RoutesOptions } from './routes-options.ts'
import { ThreadEntry } from './thread-entry.ts'

export interface OpenedParts {
  readonly parts: RouteParts
  readonly tokens: Tokens
  /** Ends the streams and the calls that are held. */
  readonly close: () => void
}

/** What all routes over one log share. */
export function openParts(throughline: Throughline, given: RoutesOptions): OpenedParts {
  const tokens = given.tokens ?? new Tokens([randomBytes(32).toString('base64url')])
  const { authenticate, authenticateMaxMs: maxMs, publicUrl } = given
  const roles = throughline.apps.flatMap(({ app }) => [...app.roles.keys()])
  const access = authenticate
    ? new ForeignAccess({ authenticate, roles, maxMs, publicUrl })
    : new TokenAccess({
        ...given,
        tokens,
        log: throughline.log,
        roles,
        rolesNeedTokens: given.tokens !== undefined,
      })
  const logger = safeLogger(given.logger)
  const failed = (err: unknown, thread: string) =>
    logger.error({ err, thread }, 'a stream broke off')
  const streams = new EventStreams(throughline.log, { failed })
  const stopHearing = throughline.onErased((thread) => streams.forget(thread))
  const closing = new AbortController()
  const { onFault, version } = given
  const parts: RouteParts = {
    throughline,
    access,
    entry: new ThreadEntry(throughline, access),
    quotas: new Quotas(given),
    keyed: new KeyedRequests(),
    streams,
    closing: closing.signal,
    logger,
    onFault,
    carried: carriedBy(given),
    ...(version !== undefined && { version }),
  }
  const close = (): void => {
    closing.abort()
    stopHearing()
    streams.close()
  }
  return { parts, tokens, close }
}

function carriedBy({ extensions = [] }: RoutesOptions): Carried {
  return async ({ name: app }, thread) => {
    const carries = extensions.map((each) => each.carries).find((each) => each?.app === app)
    return carries && { event: carries.name, data: { [carries.name]: await carries.value(thread) } }
  }
}

function safeLogger(given: Logger | undefined): Logger {
  const serializers = { err: (error: unknown) => loggableError(error) }
  const logger = given ?? pino({ level: 'warn' }, pino.destination(2))
  return logger.child({}, { serializers })
}
