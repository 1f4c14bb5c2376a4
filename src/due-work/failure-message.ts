import { startOf, thrownMessage } from '../json/index.ts'

/** The longest message of a failure, in characters. */
export const FAILURE_CHARS_MAX = 2_000
/** Causes of causes whose messages a failure's message holds. */
const CAUSES_MAX = 5

/**
 * Returns the message of whatever a runner threw, with the messages of its causes: "fetch failed: connect
 * ECONNREFUSED 127.0.0.1:80".
 */
export function failureMessage(thrown: unknown): string {
  const messages = [thrownMessage(thrown)]
  let error = causeOf(thrown)
  for (let depth = 1; depth <= CAUSES_MAX && error !== undefined; depth++) {
    const text = thrownMessage(error)
    // An error that wraps another often repeats its message; an error may also be its own cause.
    if (!messages.some((known) => known.includes(text))) messages.push(text)
    error = causeOf(error)
  }
  return startOf(messages.join(': '), FAILURE_CHARS_MAX)
}

function causeOf(error: unknown): unknown {
  try {
    if (!(error instanceof Error)) return undefined
    if (error.cause !== undefined && error.cause !== null) return error.cause
    return error instanceof AggregateError ? error.errors[0] : undefined
  } catch {
    return undefined
  }
}
