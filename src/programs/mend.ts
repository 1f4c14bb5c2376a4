import { equalJson, isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { REMOTE_BEHIND_MAX, REMOTE_CLOSE_MAX_MS } from './limits.ts'

/** A fault of a producer that is mended, or something of its stream that is left out. */
export type ProgramFault =
  /** TanStack AI: RUN_FINISHED before the results of tools, and the run goes on. */
  | 'early_run_finished'
  /** TanStack AI: an interrupt for a call that the caller's tool answers. */
  | 'client_tool_interrupt'
  /** Something came behind the end of its run, or the stream failed there. */
  | 'behind_end'
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

export interface MendedEvent {
  readonly value: unknown
  /** It came behind the end of its run: it is left out where it does not fit. */
  readonly isBehind?: true
}

export interface MendOptions {
  readonly warn: (fault: ProgramFault) => void
  /** Gets each RUN_FINISHED that another one of the same run replaces: what it says of usage counts. */
  readonly onDropped: (finished: unknown) => void
}

/**
 * Mends the known faults of real producers, before anything is verified. A RUN_FINISHED is held until the stream
 * ends. Where its run goes on, it is dropped, and the run ends with the last one. What else comes behind it does
 * not break the run. An interrupt for a call of the caller's tool becomes a pending call.
 */
export async function* mended(
  events: AsyncIterable<unknown>,
  { warn, onDropped }: MendOptions,
): AsyncGenerator<MendedEvent, void> {
  const iterator = events[Symbol.asyncIterator]()
  const end = new HeldEnd({ warn, onDropped })
  try {
    for (;;) {
      const next = iterator.next()
      const result = end.isHeld ? await soon(next) : await next
      if (result === 'silence') warn('left_open')
      else if (result === 'failure') warn('behind_end')
      if (typeof result === 'string' || result.done) break
      // Nothing has verified it: its members are read as those of any value.
      const taken = end.take(result.value as Json)
      yield* taken.events
      if (taken.isOver) break
    }
  } finally {
    // Not awaited: a source that does not react to its end must not hold up the run.
    iterator.return?.().catch(() => undefined)
  }
  yield* end.rest()
}

/** Types of a run that goes on. Others may come behind its end: what closes or restates something. */
const GOES_ON =
  /^(?:TEXT|TOOL|REASONING|STEP|SUBAGENT).*_(?:START|STARTED|CONTENT|ARGS|CHUNK|RESULT|VALUE)$/

interface Taken {
  readonly events: readonly MendedEvent[]
  readonly isOver?: true
}

const NOTHING: Taken = { events: [] }

/** The RUN_FINISHED that is held, and what has come behind it. */
class HeldEnd {
  readonly #options: MendOptions
  #end: Json | undefined
  #behind: Json[] = []

  constructor(options: MendOptions) {
    this.#options = options
  }

  get isHeld(): boolean {
    return this.#end !== undefined
  }

  take(value: Json): Taken {
    const type = textOf(value, 'type')
    if (this.#end !== undefined) return this.#takeBehind(this.#end, { value, type })
    if (type !== 'RUN_FINISHED') return { events: [{ value }] }
    this.#end = withPendingCalls(value, this.#options.warn)
    return NOTHING
  }

  /** The end of the run, after what may still close something. */
  rest(): readonly MendedEvent[] {
    const end = this.#end
    if (end === undefined) return []
    this.#end = undefined
    if (this.#behind.length > 0) this.#options.warn('behind_end')
    const behind = this.#behind.splice(0).map((value): MendedEvent => ({ value, isBehind: true }))
    return [...behind, { value: end }]
  }

  #takeBehind(end: Json, { value, type }: { readonly value: Json; readonly type: string }): Taken {
    if (type === 'RUN_ERROR' || (type === 'RUN_STARTED' && !isSameRun(end, value))) {
      return { events: [...this.rest(), { value }] }
    }
    if (type === 'RUN_STARTED') {
      this.#options.warn('behind_end')
      return { events: [], isOver: true }
    }
    const isAnother = type === 'RUN_FINISHED' && !equalJson(end, value)
    if (endsWell(end) && (isAnother || GOES_ON.test(type))) return this.#goOn(end, value)
    if (GOES_ON.test(type) || type === 'RUN_FINISHED' || this.#behind.length >= REMOTE_BEHIND_MAX) {
      this.#options.warn('behind_end')
    } else this.#behind.push(value)
    return NOTHING
  }

  #goOn(end: Json, value: Json): Taken {
    this.#options.warn('early_run_finished')
    this.#options.onDropped(end)
    this.#end = undefined
    const behind = this.#behind.splice(0).map((each) => ({ value: each }))
    const { events } = this.take(value)
    return { events: [...behind, ...events] }
  }
}

function isSameRun(end: Json, started: Json): boolean {
  return textOf(end, 'runId') === textOf(started, 'runId')
}

/** The next event behind the end; the run has ended where the stream stays open in silence, or fails. */
async function soon<Value>(next: Promise<Value>): Promise<Value | 'silence' | 'failure'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), REMOTE_CLOSE_MAX_MS)
  })
  try {
    return await Promise.race([next.catch(() => 'failure' as const), timeUp])
  } finally {
    clearTimeout(timer)
  }
}

function endsWell(finished: Json): boolean {
  const { outcome = null } = membersOf(finished)
  return outcome === null || textOf(outcome, 'type') === 'success'
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
