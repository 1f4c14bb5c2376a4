import type { RunErrorEvent } from '@ag-ui/core'
import { ThroughlineError } from '../assert/index.ts'
import { startOf } from '../json/index.ts'
import { REMOTE_MESSAGE_CHARS_MAX } from './limits.ts'
import type { WireErrorCode } from '../wire/index.ts'
import type { StepFailure } from '../step/index.ts'

export type ProgramErrorCode =
  | WireErrorCode
  /** No connection was made, or it was lost before the program answered. */
  | 'unreachable'
  /** The program refused the request before it began. */
  | 'rejected'
  /** Nothing came for too long. */
  | 'timeout'
  /** A frame, or the whole stream, is longer than a limit. */
  | 'too_large'
  /** There is no such program, or it may not be run. */
  | 'no_program'
  /** The program's process has ended, before its work had. */
  | 'program_exited'
  /** The program does not know the conversation, or cannot load it. */
  | 'no_conversation'
  /** The program did not answer in time after its start. */
  | 'start_timeout'
  /** The program printed nothing for too long within a turn. */
  | 'turn_timeout'
  /** Nothing was asked of the program for too long. */
  | 'inactivity_timeout'
  /** The program did not end its turn after an interrupt. */
  | 'interrupt_timeout'
  /** A line could not be written to the program. */
  | 'write_failed'
  /** Too many sessions of the program are at work. */
  | 'busy'
  /** The program gave a result for a call that only the engine may answer. */
  | 'forged_result'
  /** The program ended its run as cancelled, without a request from here. */
  | 'remote_cancelled'
  /** The program failed without a code of its own, or with one that the engine uses itself. */
  | 'remote_error'
  | 'cancelled'

export interface ProgramErrorOptions extends ErrorOptions {
  /** The program has not begun: it may be asked again. */
  readonly isUnreached?: boolean
  readonly isRetryable?: boolean
  readonly retryAfterMs?: number
}

/**
 * A program's stream failed. Its earlier text is on record; none of its calls count. The
 * code is one of {@link ProgramErrorCode}, or the program's own.
 */
export class ProgramError extends ThroughlineError implements StepFailure {
  override readonly name = 'ProgramError'
  readonly isUnreached: boolean
  readonly retryable: boolean
  readonly retryAfterMs: number

  constructor(
    code: string,
    message: string,
    {
      isUnreached = false,
      isRetryable = false,
      retryAfterMs = 0,
      ...options
    }: ProgramErrorOptions = {},
  ) {
    super(code, message, options)
    this.isUnreached = isUnreached
    // A program that has begun is never asked again.
    this.retryable = isUnreached && isRetryable
    this.retryAfterMs = retryAfterMs
  }
}

export function streamRefused(code: ProgramErrorCode, why: string): ProgramError {
  return new ProgramError(code, `Cannot take the stream: ${why}`)
}

/** Codes that the engine gives a meaning of its own. */
const RESERVED = /^(?:limit_.*|cancelled|interrupted|internal|discarded|given_up)$/
const CODE = /^[\w.:-]{1,64}$/

/** The failure that a program ends its run with. */
export function remoteFailure({ code, message }: RunErrorEvent): ProgramError {
  const isUsable = code !== undefined && CODE.test(code) && !RESERVED.test(code)
  const named = code === 'cancelled' ? 'remote_cancelled' : 'remote_error'
  const why = startOf(message, REMOTE_MESSAGE_CHARS_MAX) || 'The agent failed'
  return new ProgramError(isUsable ? code : named, why)
}
