import type { Clicks, TurnScope } from '../scope.ts'

/** Whether a person's clicks brought about what a submitting rule waits for. */
export async function completesSubmission<State>(
  { gate, thread }: Pick<TurnScope<State>, 'gate' | 'thread'>,
  { before, after }: Clicks,
): Promise<boolean> {
  const submits = (state: State): boolean =>
    gate.domain.rules.some((rule) => rule.submits === true && rule.propose(state).length > 0)
  const now = await gate.state(thread, after)
  if (!submits(now.state)) return false
  const then = await gate.state(thread, before)
  return !submits(then.state)
}
