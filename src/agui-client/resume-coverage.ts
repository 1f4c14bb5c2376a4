import type { Interrupt, ResumeEntry } from '@ag-ui/core'
import { AguiClientError } from './agui-client-error.ts'

/**
 * Requires an answer to each open question, and none to any other or to one whose time is over.
 *
 * @throws {@link AguiClientError}
 */
export function requireCoverage(
  open: readonly Interrupt[],
  answers: readonly ResumeEntry[],
  now: number,
): void {
  const answered = new Set(answers.map(({ interruptId }) => interruptId))
  const unanswered = open.find(({ id }) => !answered.has(id))
  if (unanswered) {
    throw new AguiClientError('unanswered', `Cannot run: question "${unanswered.id}" has no answer`)
  }
  for (const { interruptId: id, status } of answers) {
    const question = open.find((interrupt) => interrupt.id === id)
    if (!question)
      throw new AguiClientError('unknown_interrupt', `Cannot answer "${id}": it is not open`)
    // A question that is given up needs no time.
    if (status === 'resolved' && isExpired(question, now)) {
      throw new AguiClientError(
        'expired',
        `Cannot answer "${id}": it expired at ${question.expiresAt}`,
      )
    }
  }
}

/** A time that cannot be read is no limit. */
function isExpired({ expiresAt }: Interrupt, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now
}
