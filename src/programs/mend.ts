import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { REMOTE_CLOSE_MAX_MS } from './limits.ts'

/** A fault of a producer that is mended, or something of its stream that is left out. */
export type ProgramFault =
  /** TanStack AI: RUN_FINISHED before the results of tools, and the run goes on. */
  | 'early_run_finished'
  /** TanStack AI: an interrupt for a call that the caller's tool answers. */
  | 'client_tool_interrupt'
  /** The stream stayed open after the end of its run. */
  | 'left_open'
  /** Members or types that AG-UI 1.0 does not describe. */
  | 'unknown_members'
  /** A message in the name of a person or of the application. */
  | 'foreign_role'
  /** A result for a call that is unknown or answered. */
  | 'stray_result'
  /** An event of an item, a sub-agent or a baseline that is not there any more. */
  | 'stray_event'
  /** A value that is longer than a record may be, or that no record can hold. */
  | 'value_too_large'

/**
 * Mends the known faults of real producers, before anything is verified: a RUN_FINISHED that other events of
 * the same run follow is dropped, so that the run ends with the last one. What a dropped one says of usage
 * goes to `onDropped`. An interrupt for a call of the caller's tool becomes a pending call.
 */
export async function* mended(
  events: AsyncIterable<unknown>,
  {
    warn,
    onDropped,
  }: {
    readonly warn: (fault: ProgramFault) => void
    readonly onDropped: (finished: unknown) => void
  },
): AsyncGenerator<unknown, void> {
  const iterator = events[Symbol.asyncIterator]()
  let held: Json | undefined
  try {
    for (;;) {
      const next = iterator.next()
      const result = held === undefined ? await next : await soon(next)
      if (result === undefined) warn('left_open')
      if (result === undefined || result.done) break
      // Nothing has verified it: its members are read as those of any value.
      const value = result.value as Json
      if (held !== undefined && goesOn(held, value)) {
        warn('early_run_finished')
        onDropped(held)
      } else if (held !== undefined) yield held
      held = undefined
      if (textOf(value, 'type') === 'RUN_FINISHED') held = withPendingCalls(value, warn)
      else yield value
    }
  } finally {
    // Not awaited: a source that does not react to its end must not hold up the run.
    iterator.return?.().catch(() => undefined)
  }
  if (held !== undefined) yield held
}

/** The next event, or nothing when the stream stays open in silence. */
async function soon<Value>(next: Promise<Value>): Promise<Value | undefined> {
  next.catch(() => undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), REMOTE_CLOSE_MAX_MS)
  })
  try {
    return await Promise.race([next, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether an event is of the run that was said to have ended well. */
function goesOn(finished: Json, event: Json): boolean {
  const { outcome = null } = membersOf(finished)
  const isWell = outcome === null || textOf(outcome, 'type') === 'success'
  return isWell && !['RUN_STARTED', 'RUN_ERROR', 'RUN_FINISHED'].includes(textOf(event, 'type'))
}

const CLIENT_TOOL = 'tanstack:client_tool_execution'

/** Calls of the caller's tools wait for their results, not for the answer of a person. */
function withPendingCalls(finished: Json, warn: (fault: ProgramFault) => void): Json {
  const { outcome: given = null, ...run } = membersOf(finished)
  const { interrupts, ...outcome } = membersOf(given)
  if (outcome['type'] !== 'interrupt' || !isJsonArray(interrupts)) return finished
  const calls = interrupts.filter((each) => textOf(each, 'reason') === CLIENT_TOOL)
  if (calls.length === 0) return finished
  warn('client_tool_interrupt')
  const questions = interrupts.filter((each) => !calls.includes(each))
  if (questions.length > 0) return { ...run, outcome: { ...outcome, interrupts: questions } }
  const pendingToolCallIds = calls.map((each) => membersOf(each)['toolCallId'] ?? null)
  return { ...run, outcome: { type: 'success', pendingToolCallIds } }
}
