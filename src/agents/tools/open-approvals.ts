import type { Pauses, Wait } from '../../activity/index.ts'
import { failedResult } from '../scope/tool-result.ts'
import type { ToolResult } from '../scope/tool-result.ts'

/** Calls of one thread that may wait for the approval of another role. */
export const OPEN_APPROVALS_MAX = 100

/** A call whose approval another role is not asked for, with its result. */
class NotAsked extends Error {
  override readonly name = 'NotAsked'
  readonly result: ToolResult

  constructor(result: ToolResult) {
    super(result.content)
    this.result = result
  }
}

/** The result of a call that {@link requireAskable} did not let through. */
export function resultOfNotAsked(error: unknown): ToolResult | undefined {
  return error instanceof NotAsked ? error.result : undefined
}

/**
 * Throws what {@link resultOfNotAsked} reads: `pending` when the same call of the same agent waits already, and
 * a failure when too many do.
 */
export function requireAskable(
  { approvals }: Pick<Pauses, 'approvals'>,
  { agent, digest, toolName }: Wait,
  pending: ToolResult,
): void {
  // A cancelled one takes no answer any more, so it stands for no other call.
  const open = approvals.filter(({ cancelledBy }) => cancelledBy === undefined)
  if (open.some(({ wait }) => wait.digest === digest && wait.agent === agent)) {
    throw new NotAsked(pending)
  }
  if (open.length < OPEN_APPROVALS_MAX) return
  const why = `${OPEN_APPROVALS_MAX} calls of this thread wait for an approval already`
  throw new NotAsked(
    failedResult('limit_approvals', `Cannot ask for approval of "${toolName}": ${why}`),
  )
}
