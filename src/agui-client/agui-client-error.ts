import { ThroughlineError } from '../assert/index.ts'

/**
 * Reasons why a thread refuses a page's request: `running`, a run is under way; `unanswered`, a question is open
 * that the request does not answer; `expired`, the question's time is over; `unknown_interrupt`, there is
 * no such question.
 */
export type AguiClientErrorCode = 'running' | 'unanswered' | 'expired' | 'unknown_interrupt'

/** A request that was not sent, because the agent could not take it. */
export class AguiClientError extends ThroughlineError<AguiClientErrorCode> {
  override readonly name = 'AguiClientError'
}
