import { FailedStep } from './model-step.ts'
import { pause } from './pause.ts'

/** Model calls that one step may make when the first one fails. */
export const MODEL_ATTEMPTS_MAX = 2
export const MODEL_RETRY_DELAY_MS = 800

/** Makes a step's model call, and again where that may help; throws what the last one failed with. */
export async function inAttempts<Step>(
  call: (attempt: number) => Promise<Step>,
  { delayMs, signal }: { readonly delayMs: number; readonly signal: AbortSignal },
): Promise<Step> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(attempt)
    } catch (error) {
      const final = attempt >= MODEL_ATTEMPTS_MAX || signal.aborted
      if (final || !(error instanceof FailedStep) || !error.failure.retryable) throw error
      await pause(Math.max(delayMs, error.failure.retryAfterMs), signal)
    }
  }
}
