/**
 * Threads over HTTP: this room decides who sends a request and what they may see. It then reads the log
 * from a position, or hands a proposal to the gate. No other room knows a status code, and this one must
 * never know what an event means.
 *
 * @module
 */
export type { Access, Entrant } from './access/access.ts'
export { ALLOWED_ORIGINS_MAX, readOrigin } from './access/cross-origin.ts'
export { cursorOf, epochOf, wholeNumber } from './streams/cursor.ts'

export { SocketSink } from './streams/event-stream-socket.ts'
export { EventStreams, STALL_MAX_MS } from './streams/event-stream.ts'

export type { Authenticate, Caller } from './access/foreign-access.ts'
export { jsonList } from './routes/json-list.ts'
export { KeyedRequests, idempotencyKey } from './routes/keyed-requests.ts'
export type { Pages } from './routes/pages.ts'
export { ProblemError, notFound } from './problems/problem.ts'
export type { ProblemCode } from './problems/problem.ts'
export type { ServeErrorCode } from './problems/serve-error.ts'
export {
  Quotas,
  STREAMS_PER_TOKEN_DEFAULT,
  STREAMS_PER_TOKEN_MAX,
  TOKENS_COUNTED_MAX,
  TURNS_PER_MINUTE_DEFAULT,
  TURNS_PER_MINUTE_MAX,
} from './access/quotas.ts'
export type { QuotaLimits } from './access/quotas.ts'
export { shownView } from './routes/reveal.ts'

export { recordedOnce } from './routes/recorded-requests.ts'
export { proposedEvent, readBody, readOptionalBody } from './routes/request-body.ts'
export { isLoopback } from './access/request-guard.ts'
export { routes } from './routes/routes.ts'
export type { Extension, ExtensionTools, RoutesOptions } from './routes/routes-options.ts'
export type { Routes } from './routes/routes.ts'
export { RUN_EVENTS_MAX } from './routes/run-routes.ts'
export { serveMcpSession } from './mcp-stdio.ts'
export { DRAIN_GRACE_MS, serve } from './serve.ts'
export type { RunningServer, ServeOptions } from './serve.ts'
export { answerStream } from './streams/stream-answer.ts'
export { firstRecord } from './access/first-record.ts'
export { TokenIssuer } from './access/token-issuer.ts'
export { SEED_LIFETIME_S, TOKEN_LIFETIME_S, Tokens } from './access/tokens.ts'
