import { ThroughlineError } from '../assert/index.ts'
import type { z } from 'zod/v4'

/**
 * The fault of a stream of AG-UI events: `malformed`, a member has a wrong type;
 * `out_of_order`, the event may not follow those before it; `other_run`, the stream is of another run than
 * was asked for; `truncated`, it ended before its run did; `too_many`, more is open than a limit allows.
 */
export type WireErrorCode = 'malformed' | 'out_of_order' | 'other_run' | 'truncated' | 'too_many'

/** A stream of AG-UI events breaks the protocol; nothing of the event that broke it counts. */
export class WireError extends ThroughlineError<WireErrorCode> {
  override readonly name = 'WireError'
}

export function outOfOrder(type: string, state: string): WireError {
  return new WireError('out_of_order', `Cannot take ${type}: ${state}`)
}

/** Names the first member that a schema refuses. */
export function malformed(what: string, error: z.ZodError): WireError {
  const [issue] = error.issues
  const member = issue?.path.join('.') ?? ''
  const where = member === '' ? 'it' : `"${member}"`
  const message = `Cannot read ${what}: ${where} is malformed (${issue?.message})`
  return new WireError('malformed', message, { cause: error })
}
