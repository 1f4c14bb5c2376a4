/**
 * Threads over HTTP: this room decides who sends a request and what they may see. It then reads the log
 * from a position, or hands a proposal to the gate. No other room knows a status code, and this one must
 * never know what an event means.
 *
 * @module
 */
export type { Access, Entrant, ThreadToEnter } from './access/access.ts'
export { ALLOWED_ORIGINS_MAX, readOrigin } from './access/cross-origin.ts'
export { cursorOf, epochOf, wholeNumber } from './streams/cursor.ts'
export { ResponseSink } from './streams/event-stream-response.ts'
export { SocketSink } from './streams/event-stream-socket.ts'
export {
  EventStreams,
  HEARTBEAT_INTERVAL_MS,
  STALL_MAX_MS,
  STREAMS_MAX,
} from './streams/event-stream.ts'
export { AUTHENTICATE_MAX_MS } from './access/foreign-access.ts'
export type { Authenticate, Caller } from './access/foreign-access.ts'
export { jsonList } from './routes/json-list.ts'
export { KEYS_MAX, KeyedRequests, idempotencyKey } from './routes/keyed-requests.ts'
export type { Pages } from './routes/pages.ts'
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
} from './access/quotas.ts'
export type { QuotaLimits } from './access/quotas.ts'
export { shownView } from './routes/reveal.ts'
export type { Reader, ShownView } from './routes/reveal.ts'
export { REQUESTS_THREAD, recordedOnce } from './routes/recorded-requests.ts'
export {
  BODY_BYTES_MAX,
  proposedEvent,
  proposedId,
  readBody,
  readOptionalBody,
} from './routes/request-body.ts'
export { isLoopback } from './access/request-guard.ts'
export { routes } from './routes/routes.ts'
export type { Extension, ExtensionTools, Routes, RoutesOptions } from './routes/routes.ts'
export { PROMPT_CHARS_MAX, RUN_EVENTS_MAX } from './routes/run-routes.ts'
export { DRAIN_GRACE_MS, serve } from './serve.ts'
export type { RunningServer, ServeOptions } from './serve.ts'
export { answerStream } from './streams/stream-answer.ts'
export { firstRecord } from './routes/thread-entry.ts'
export { TokenIssuer } from './access/token-issuer.ts'
export { SEED_LIFETIME_S, TOKEN_LIFETIME_S, Tokens } from './access/tokens.ts'
export type { Grant } from './access/tokens.ts'
