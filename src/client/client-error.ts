import { ThroughlineError } from '../assert/index.ts'
import type { Json } from '../json/index.ts'

/** An error answer as RFC 9457 shapes it; `code` is stable, `detail` is for people. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  /** The cause, where one code has several: the code of the model call's error. */
  readonly reason?: string
  /** The members that only some problems have, such as `seed`. */
  readonly extensions?: { readonly [name: string]: Json | undefined }
}

export type ClientErrorCode = 'network' | 'timeout' | 'problem' | 'protocol'

export interface ClientErrorOptions extends ErrorOptions {
  readonly problem?: Problem
  readonly retryAfterMs?: number
}

/** Statuses in which a 4xx says nothing about the request itself: it may succeed unchanged. */
const PASSING_STATUSES: readonly number[] = [408, 409, 425, 429]

/** The server could not be reached, answered with a problem, or did not speak the wire. */
export class ClientError extends ThroughlineError<ClientErrorCode> {
  override readonly name = 'ClientError'
  /** The answer of the server; present exactly when `code` is `problem`. */
  readonly problem: Problem | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: ClientErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options)
    this.problem = options.problem
    this.retryAfterMs = options.retryAfterMs
  }

  /** Whether the server refused this very request: it changed nothing, and the same again is futile. */
  get final(): boolean {
    const status = this.problem?.status ?? 0
    return status >= 400 && status < 500 && !PASSING_STATUSES.includes(status)
  }
}

/** The server did not speak the wire of a stream. */
export function broken(fault: string): ClientError {
  return new ClientError('protocol', `Cannot follow the stream: ${fault}`)
}
