/**
 * Threads over HTTP: this room decides who sends a request and what they may see. It then reads the log
 * from a position, or hands a proposal to the gate. No other room knows a status code, and this one must
 * never know what an event means.
 *
 * @module
 */
export type { Access, Entrant, Place } from './access.ts'
export { ALLOWED_ORIGINS_MAX, readOrigin } from './cross-origin.ts'
export { cursorOf, epochOf, wholeNumber } from './cursor.ts'
export { ResponseSink } from './event-stream-response.ts'
export { SocketSink } from './event-stream-socket.ts'
export { EventStreams, HEARTBEAT_INTERVAL_MS, STALL_MAX_MS, STREAMS_MAX } from './event-stream.ts'
export { AUTHENTICATE_MAX_MS } from './foreign-access.ts'
export type { Authenticate, Caller } from './foreign-access.ts'
export { jsonList } from './json-list.ts'
export { KEYS_MAX, KeyedRequests, idempotencyKey, requestDigest } from './keyed-requests.ts'
export type { Pages } from './pages.ts'
export { AuthenticateError, ProblemError, notFound } from './problem.ts'
export type { ProblemCode } from './problem.ts'
export {
  LONG_READS_PER_TOKEN_MAX,
  PROPOSALS_PER_MINUTE_DEFAULT,
  Quotas,
  STREAMS_PER_TOKEN_DEFAULT,
  STREAMS_PER_TOKEN_MAX,
  TOKENS_COUNTED_MAX,
  TURNS_PER_MINUTE_DEFAULT,
  TURNS_PER_MINUTE_MAX,
} from './quotas.ts'
export type { QuotaLimits } from './quotas.ts'
export { REQUESTS_THREAD, recordedOnce } from './recorded-requests.ts'
export {
  BODY_BYTES_MAX,
  proposedEvent,
  proposedId,
  readBody,
  readOptionalBody,
} from './request-body.ts'
export { isLoopback } from './request-guard.ts'
export { routes } from './routes.ts'
export type { Extension, Routes, RoutesOptions } from './routes.ts'
export { PROMPT_CHARS_MAX, RUN_EVENTS_MAX } from './run-routes.ts'
export { DRAIN_GRACE_MS, serve } from './serve.ts'
export type { RunningServer, ServeOptions } from './serve.ts'
export { answerStream } from './stream-answer.ts'
export { firstRecord } from './thread-entry.ts'
export { TokenIssuer } from './token-issuer.ts'
export { SEED_LIFETIME_S, TOKEN_LIFETIME_S, Tokens } from './tokens.ts'
export type { Grant } from './tokens.ts'
