import { assert } from '../assert/index.ts'
import type { Domain, Refusal } from '../domain/index.ts'
import { textOf } from '../json/index.ts'
import { LogError, erasedThread } from '../log/index.ts'
import type { AppendOptions, LogRecord, NewEvent } from '../log/index.ts'
import type { Snapshot } from '../thread/index.ts'
import type { KeyedRequest } from './keyed-request.ts'
import type { GateProposal, Planned } from './plan.ts'

export interface CommitOptions<State = unknown> {
  readonly expectedVersion?: number
  /** Of the lease under which this is done: a stale one is refused as `fenced`. */
  readonly fence?: number
  /** Tries again, with the same ids, while the store fails in a way that may pass. */
  readonly mustRecord?: boolean
  /** A person wrote a message in the turn that these proposals belong to. */
  readonly typed?: boolean
  /** `submit` lets rules that start work in the world fire; `derive`, the default, does not. */
  readonly pass?: 'derive' | 'submit'
  /** Recorded with the first commit under its key; a repeat is answered from the log. */
  readonly request?: KeyedRequest
  /** Agent activity that is appended before the decided proposals, in one batch with them. */
  readonly before?: readonly NewEvent[]
  /**
   * Returns agent activity that is appended after the derived events, in one batch with them. Gets what
   * is planned and the thread as it was before. Runs again when another writer was faster.
   */
  after?(planned: Planned<State>, before: Snapshot<State>): readonly NewEvent[]
  /**
   * Throws to stop the commit: then nothing is appended. Gets the thread as it is when the proposals
   * are decided, and runs again when another writer was faster.
   */
  check?(snapshot: Snapshot<State>): void
}

/** The record of one proposal, which is an `event_refused` when it was refused. */
export interface Answer {
  readonly record: LogRecord
  readonly refusal?: Refusal
}

/** A proposal that was refused, as `propose`, a tool and the HTTP route answer with it. */
export interface RefusedProposal {
  readonly type: string
  readonly reason: Refusal['refused']
  readonly detail: string
}

/** The refused ones of proposals of these types, in their order. */
export function refusedIn(
  types: readonly string[],
  answers: readonly Answer[],
): readonly RefusedProposal[] {
  return answers.flatMap(({ refusal }, at) =>
    refusal ? [{ type: types[at] ?? '', reason: refusal.refused, detail: refusal.detail }] : [],
  )
}

export interface Commit<State> {
  /** One per proposal, in order. */
  readonly answers: readonly Answer[]
  /** The records that the rules added. */
  readonly derived: readonly LogRecord[]
  readonly fired: readonly string[]
  /** The whole batch, in order: request, `before`, decided, derived, `after`. */
  readonly records: readonly LogRecord[]
  /** The head of the thread after this commit; for a repeated request, after its first commit. */
  readonly head: number
  readonly snapshot: Snapshot<State>
}

/** A commit that was decided and is not stored yet. */
export interface DecidedCommit<State> {
  /** The records that the thread holds under the ids of the proposals. */
  readonly known: readonly (LogRecord | undefined)[]
  readonly planned: Planned<State>
  /** The position of the first decided event. */
  readonly decidedFrom: number
  readonly events: readonly NewEvent[]
  readonly expectedVersion: number
}

/** Kept until the commit is answered: what was stored without an answer is then found by its ids. */
export interface PendingCommit<State> {
  decided?: DecidedCommit<State>
  /** The newest fold was behind the head, or cannot decide: the head is read. */
  readsHead?: boolean
}

/** The next try decides on the head. */
export function startOver<State>(pending: PendingCommit<State>): undefined {
  delete pending.decided
  pending.readsHead = true
}

/** The proposals to be decided: the log keeps one record for an id, so the first of an id counts. */
export function openOf(
  proposals: readonly GateProposal[],
  known: readonly (LogRecord | undefined)[],
): readonly GateProposal[] {
  const seen = new Set<string>()
  return proposals.filter(({ id }, index) => {
    const isFirst = !seen.has(id)
    seen.add(id)
    return isFirst && !known[index]
  })
}

/** Whether a commit has more to append than the answers that the thread holds already. */
export function isNew<State>(
  open: readonly GateProposal[],
  proposals: readonly GateProposal[],
  { before = [], ...options }: CommitOptions<State>,
): boolean {
  const addsActivity = before.length > 0 || options.after !== undefined
  return open.length > 0 || proposals.length === 0 || addsActivity
}

/** An erased thread takes the end of what runs in it, and nothing more. */
export function requireNothingNew<State>(
  thread: string,
  proposals: readonly GateProposal[],
  { before = [] }: CommitOptions<State>,
): void {
  if (proposals.length > 0 || before.some(({ type }) => type === 'RUN_STARTED')) {
    throw erasedThread(thread)
  }
}

export function requireHead<State>(
  thread: string,
  head: number,
  { expectedVersion }: CommitOptions<State>,
): void {
  if (expectedVersion === undefined || expectedVersion === head) return
  throw new LogError(
    'version_conflict',
    `Cannot commit to "${thread}": expected head ${expectedVersion}, it is ${head}`,
  )
}

export function answerOf(record: LogRecord | undefined): Answer {
  assert(record, 'Cannot commit: the log answered with fewer records than events')
  if (record.type !== 'event_refused') return { record }
  // Written by this gate, so the reason is one of its own.
  const refused = textOf(record.data, 'reason') as Refusal['refused']
  return { record, refusal: { refused, detail: textOf(record.data, 'detail') } }
}

/** One time for a whole batch with decided events, which have theirs: no record is older than one before it. */
export function stamped(events: readonly NewEvent[], ts: number): readonly NewEvent[] {
  return events.some((event) => event.ts !== undefined)
    ? events.map((event) => ({ ts, ...event }))
    : events
}

export function fenceOf({ fence }: { readonly fence?: number }): Pick<AppendOptions, 'fence'> {
  return fence === undefined ? {} : { fence }
}

export function requireActivity<State>(
  { events }: Domain<State>,
  activity: readonly NewEvent[],
): void {
  for (const { type } of activity) {
    assert(!events.has(type), `Cannot append "${type}": a domain event is committed`)
  }
}
