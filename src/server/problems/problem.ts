import { ThroughlineError } from '../../assert/index.ts'
import { z } from 'zod'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { AgentError, TurnError } from '../../agents/index.ts'
import { ApplicationError } from '../../application/index.ts'
import type { ApplicationErrorCode } from '../../application/index.ts'
import { ModelError } from '../../models/index.ts'
import type { AgentErrorCode, TurnErrorCode } from '../../agents/index.ts'
import { GateError } from '../../gate/index.ts'
import { LogError } from '../../log/index.ts'
import type { LogErrorCode } from '../../log/index.ts'

export type ProblemCode =
  | 'invalid_json'
  | 'invalid_body'
  | 'invalid_cursor'
  | 'invalid_query'
  | 'unsupported_media_type'
  | 'unsupported_protocol'
  | 'unsupported_content'
  | 'body_too_large'
  | 'unauthenticated'
  | 'authenticate_failed'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'cross_origin'
  | 'host_not_allowed'
  | 'too_many_streams'
  | 'too_many_attempts'
  | 'model_failed'
  | 'limit'
  | 'too_many_turns'
  | 'too_many_proposals'
  | 'too_many_reads'
  | 'too_many_forks'
  | 'not_running'
  | 'not_revealed'
  | 'not_dead'
  | 'no_receiver'
  | 'no_session'
  | 'permission_closed'
  | 'permission_mismatch'
  | 'permission_not_exact'
  | 'permission_too_long'
  | 'program_failed'
  | 'session_conflict'
  | 'setup_required'
  | 'internal'
  | ThrownErrorCode
  | GateError['code']

type ThrownErrorCode = AgentErrorCode | ApplicationErrorCode | LogErrorCode | TurnErrorCode

/** A request that is answered with an RFC 9457 problem. */
export class ProblemError extends ThroughlineError<ProblemCode> {
  override readonly name = 'ProblemError'
  readonly status: ContentfulStatusCode
  readonly more: Readonly<Record<string, unknown>>
  /** When to ask again, in whole seconds: the `retry-after` of a 429 and a 503. */
  readonly retryAfterS: number

  constructor(
    code: ProblemCode,
    status: ContentfulStatusCode,
    { options, ...answer }: ProblemAnswer,
  ) {
    super(code, answer.detail, options)
    this.status = status
    this.more = answer.more ?? {}
    this.retryAfterS = answer.retryAfterS ?? 1
  }
}

interface ProblemAnswer {
  readonly detail: string
  readonly options?: ErrorOptions
  readonly more?: Readonly<Record<string, unknown>>
  readonly retryAfterS?: number
}

/** `authenticate` failed. The message is for the program that mounts the routes: the sender is not told it. */
export class AuthenticateError extends ThroughlineError<'authenticate_failed'> {
  override readonly name = 'AuthenticateError'
}

/** The answer for threads that do not exist and for those that the sender may not enter. */
export function notFound(what: string): ProblemError {
  return new ProblemError('not_found', 404, { detail: `There is no such ${what}` })
}

/** The answer for a sender that is known, and that may not do this. */
export function forbidden(detail: string): ProblemError {
  return new ProblemError('forbidden', 403, { detail })
}

/** `mend` says what to send. */
export function unauthenticated(mend: string): ProblemError {
  const detail = `Cannot answer: the request carries nothing that says who sends it; ${mend}`
  return new ProblemError('unauthenticated', 401, { detail })
}

/** For a request that `authenticate` rejected: its sender may be known, but not allowed in this thread. */
export function notLetIn(): ProblemError {
  const detail = 'Cannot answer: you are not signed in, or you may not enter here'
  return new ProblemError('unauthenticated', 401, { detail })
}

/** The reader of a problem: a role that may see every record, or one that may not. */
export type ProblemReader = 'sees all records' | 'sees some records'

const OUR_FAULT = 'Something went wrong on our side'

/**
 * The problem for an error. A message that may quote a person or a model stays in the server, and so does
 * what the reader's role may not see.
 */
export function problemOf(
  error: unknown,
  reader: ProblemReader = 'sees some records',
): ProblemError {
  if (error instanceof ProblemError) return error
  if (error instanceof LogError || error instanceof TurnError) {
    return new ProblemError(error.code, STATUS[error.code], { detail: error.message })
  }
  if (error instanceof ModelError) {
    return new ProblemError('model_failed', 502, { detail: error.message })
  }
  if (error instanceof AgentError) {
    const detail = reader === 'sees all records' ? error.message : error.discreet
    return new ProblemError(error.code, STATUS[error.code], { detail })
  }
  if (error instanceof ApplicationError) return applicationProblem(error)
  if (error instanceof GateError) {
    return new ProblemError(error.code, 422, { detail: error.message })
  }
  if (error instanceof AuthenticateError) {
    return new ProblemError(error.code, 500, {
      detail: 'Cannot tell who sends this: something went wrong on our side',
    })
  }
  return new ProblemError('internal', 500, { detail: OUR_FAULT })
}

function applicationProblem(error: ApplicationError): ProblemError {
  // A thread of another application is like one that does not exist.
  if (error.code === 'unknown_thread') return notFound('thread')
  const status = STATUS[error.code]
  // Declared functions throw what they like, such as the state that a role must not see.
  const detail = status === 500 ? OUR_FAULT : error.message
  return new ProblemError(error.code, status, { detail, options: { cause: error } })
}

/** The body of an answer that is a problem (RFC 9457); `error` is `detail` for readers that look there. */
export const problemBody = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  error: z.string(),
})

export function problemResponse(problem: ProblemError): Response {
  const { code, status, message, more, retryAfterS } = problem
  const retry = status === 429 || status === 503 ? { 'retry-after': String(retryAfterS) } : {}
  const body: z.output<typeof problemBody> = {
    ...more,
    type: `urn:throughline:problem:${code}`,
    title: code.replaceAll('_', ' '),
    status,
    detail: message,
    code,
    error: message,
  }
  return Response.json(body, {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...retry },
  })
}

const STATUS: Readonly<Record<ThrownErrorCode, ContentfulStatusCode>> = {
  version_conflict: 409,
  fenced: 409,
  invalid_event: 400,
  too_large: 413,
  busy: 429,
  in_doubt: 503,
  storage_full: 507,
  unavailable: 503,
  io: 503,
  locked: 503,
  corrupt: 500,
  configuration: 500,
  closed: 503,
  erased: 409,
  invalid_agent: 500,
  unknown_agent: 404,
  waiting_for_input: 409,
  not_waiting: 409,
  invalid_values: 400,
  wrong_role: 403,
  invalid_request: 400,
  unsupported_content: 400,
  invalid_app: 500,
  ambiguous_app: 500,
  unknown_app: 404,
  unknown_role: 500,
  unknown_source: 500,
  unknown_thread: 404,
  view_failed: 500,
  index_failed: 500,
  retain_failed: 500,
  schema_changed: 500,
  fold_differs: 500,
  invalid_query: 400,
  not_erasable: 409,
  draining: 503,
}
