import type { LogRecord, Origin } from '../log/index.ts'
import { ourMetadata, outcomeOf, resumedBy, turnOf } from './agent-event.ts'
import { membersOf, textOf } from '../json/index.ts'
import { ownerOf } from './owner.ts'
import type { WaitOwner } from './owner.ts'
import { cancelOf } from './runs.ts'
import { waitOf } from './waiting.ts'
import type { Wait } from './waiting.ts'

/** Which surface, or else which agent, an entry of {@link Pauses} belongs to, and which turn. */
interface Belonging {
  /** Made by {@link ownerOf}. */
  readonly owner: string
  readonly turn: string
}

/** A question of a run that is still open. */
export interface OpenWait extends Belonging {
  readonly wait: Wait
}

/** A turn that stopped in the middle to ask. */
export interface WaitingTurn extends Belonging {
  /** The run at depth 0 that stopped. */
  readonly run: string
  readonly agent: string
  readonly surface?: string
  readonly waits: readonly Wait[]
  /** The canceller. The wait takes no further answer, and ends once no turn is at work in the thread. */
  readonly cancelledBy?: string
}

/** A tool call that waits for the approval of another role. Its turn has gone on. */
export interface OpenApproval extends OpenWait {
  /** The agent at depth 0 that is told the outcome. */
  readonly agent: string
  readonly surface?: string
  /** When it was asked for, in milliseconds since the epoch. */
  readonly ts: number
  /** The canceller. It takes no further answer. */
  readonly cancelledBy?: string
}

/** A sub-agent's run that stopped to ask and goes on when it is answered. */
export interface SuspendedRun extends Belonging {
  readonly run: string
  readonly agent: string
  /** The tool call of its caller that its result is for. */
  readonly parentToolCallId: string
  /** As on the records of the run. */
  readonly origin: Origin
}

/** A tool call of an earlier run that a resumed turn has not answered yet. */
export interface UnansweredCall extends Belonging {
  readonly toolCallId: string
  /** The run that answers it. */
  readonly run: string
  /** Its tool, where its result comes late: the model was told before that it waits. */
  readonly late?: string
}

/**
 * The waits of a thread: `asked` by open runs, `waiting` once a turn has stopped (at most one entry for
 * each owner), `left` while a resumed turn works, `approvals` until another role has decided.
 */
export interface Pauses {
  readonly asked: readonly OpenWait[]
  readonly suspended: readonly SuspendedRun[]
  readonly waiting: readonly WaitingTurn[]
  readonly left: readonly UnansweredCall[]
  readonly approvals: readonly OpenApproval[]
}

export const NO_PAUSES: Pauses = { asked: [], suspended: [], waiting: [], left: [], approvals: [] }

/** The turn of a surface, else of an agent, that waits for an answer. */
export function waitingOf(
  { waiting }: Pick<Pauses, 'waiting'>,
  of: WaitOwner,
): WaitingTurn | undefined {
  const owner = ownerOf(of)
  return waiting.find((each) => each.owner === owner)
}

/** The approvals that a run has asked for and that can still be decided. */
export function approvalsOf(
  { approvals }: Pick<Pauses, 'approvals'>,
  run: string,
): readonly OpenApproval[] {
  return approvals.filter(({ wait, cancelledBy }) => wait.run === run && cancelledBy === undefined)
}

/** The turn that waits for an answer and has this id, or one of whose runs has it. */
export function waitingIn(
  { waiting, suspended }: Pick<Pauses, 'waiting' | 'suspended'>,
  run: string,
): WaitingTurn | undefined {
  const below = suspended.find((each) => each.run === run)
  return waiting.find(({ run: top, turn }) => top === run || turn === run || turn === below?.turn)
}

/** Folds records into what a thread waits for. Pure. */
export function foldPauses(pauses: Pauses, records: Iterable<LogRecord>): Pauses {
  for (const record of records) pauses = foldOne(pauses, record)
  return pauses
}

function foldOne(pauses: Pauses, record: LogRecord): Pauses {
  switch (record.type) {
    case 'CUSTOM':
      return askedOrCancelledBy(record, pauses)
    case 'RUN_STARTED':
      return startedBy(record, pauses)
    case 'RUN_ERROR':
      return withoutTurn(pauses, record)
    case 'SUBAGENT_STARTED':
      return {
        ...pauses,
        suspended: pauses.suspended.filter(({ run }) => run !== record.origin.run),
      }
    case 'SUBAGENT_FINISHED':
      return { ...pauses, suspended: [...pauses.suspended, ...suspendedBy(record)] }
    case 'TOOL_CALL_RESULT': {
      if (pauses.left.length === 0) return pauses
      const call = textOf(record.data, 'toolCallId')
      return { ...pauses, left: pauses.left.filter(({ toolCallId }) => toolCallId !== call) }
    }
    case 'RUN_FINISHED':
      return pausedBy(record, pauses)
    default:
      return pauses
  }
}

function askedOrCancelledBy(record: LogRecord, pauses: Pauses): Pauses {
  const wait = waitOf(record)
  if (wait?.by) return { ...pauses, approvals: [...pauses.approvals, approvalOf(record, wait)] }
  if (wait) return { ...pauses, asked: [...pauses.asked, { wait, ...belongingOf(record) }] }
  const cancel = cancelOf(record)
  if (!cancel) return pauses
  const waiting = pauses.waiting.map((each) =>
    each.run === cancel.run ? { cancelledBy: cancel.by, ...each } : each,
  )
  const approvals = pauses.approvals.map((each) =>
    each.wait.run === cancel.run ? { cancelledBy: cancel.by, ...each } : each,
  )
  return { ...pauses, waiting, approvals }
}

function approvalOf(record: LogRecord, wait: Wait): OpenApproval {
  const { surface, path, agent = '' } = record.origin
  const on = surface === undefined ? {} : { surface }
  return { wait, agent: path?.[0] ?? agent, ...on, ts: record.ts, ...belongingOf(record) }
}

function belongingOf(record: LogRecord): Belonging {
  return { owner: ownerOf(record.origin), turn: turnOf(record) }
}

/** The waiting turns whose questions a resuming run answers. */
export function resumedTurns(
  { waiting }: Pick<Pauses, 'waiting'>,
  record: LogRecord,
): readonly WaitingTurn[] {
  const ids = idsIn(record)
  return waiting.filter(({ waits }) => waits.some(({ id }) => ids.has(id)))
}

/** A run that resumes takes over the turns it answers; any other run drops its owner's waits. */
function startedBy(record: LogRecord, pauses: Pauses): Pauses {
  const belonging = belongingOf(record)
  const others = kept(pauses, ({ owner }) => owner !== belonging.owner)
  if (!resumedBy(record)) return others
  const resumed = resumedTurns(pauses, record)
  const decided = decidedApprovals(pauses, record)
  const turns = new Set(resumed.map(({ turn }) => turn))
  const left = resumed.flatMap((each) => leftCalls(each, record, pauses.suspended))
  return {
    asked: others.asked,
    suspended: pauses.suspended.map((each) =>
      turns.has(each.turn) ? { ...each, ...belonging } : each,
    ),
    waiting: pauses.waiting.filter((each) => !resumed.includes(each)),
    left: [...others.left, ...left, ...decided.map((each) => lateCall(each, record))],
    approvals: pauses.approvals
      .filter((each) => !decided.includes(each))
      .map((each) => (turns.has(each.turn) ? { ...each, ...belonging } : each)),
  }
}

/** The approvals that a resuming run decides. */
export function decidedApprovals(
  { approvals }: Pick<Pauses, 'approvals'>,
  record: LogRecord,
): readonly OpenApproval[] {
  const ids = idsIn(record)
  return approvals.filter(({ wait }) => ids.has(wait.id))
}

function lateCall({ wait }: OpenApproval, record: LogRecord): UnansweredCall {
  const { run = '' } = record.origin
  return { toolCallId: wait.toolCallId, run, late: wait.toolName, ...belongingOf(record) }
}

function idsIn(record: LogRecord): ReadonlySet<string> {
  return new Set((resumedBy(record) ?? []).map((answer) => textOf(answer, 'interruptId')))
}

/** The calls that a turn left to answer; the run that resumes it answers those of its run at depth 0. */
function leftCalls(
  { run: top, turn, waits }: WaitingTurn,
  record: LogRecord,
  suspended: readonly SuspendedRun[],
): readonly UnansweredCall[] {
  const below = suspended
    .filter((each) => each.turn === turn)
    .map((each) => ({ toolCallId: each.parentToolCallId, run: each.origin.parentRun ?? '' }))
  const { run: next = '' } = record.origin
  return [...waits, ...below].map(({ toolCallId, run }) => ({
    toolCallId,
    run: run === top ? next : run,
    ...belongingOf(record),
  }))
}

function suspendedBy(record: LogRecord): readonly SuspendedRun[] {
  if (outcomeOf(record) !== 'suspended') return []
  const { data, origin } = record
  const { run = '', agent = '' } = origin
  const parentToolCallId = textOf(ourMetadata(data), 'parentToolCallId')
  return [{ run, agent, parentToolCallId, origin, ...belongingOf(record) }]
}

function pausedBy(record: LogRecord, pauses: Pauses): Pauses {
  const { owner, turn } = belongingOf(record)
  const waits = pauses.asked.flatMap(({ wait, turn: of }) =>
    of === turn && isListed(wait, record) ? [wait] : [],
  )
  if (waits.length === 0) return withoutTurn(pauses, record)
  const { run = '', agent = '', surface } = record.origin
  const others = kept(pauses, (each) => each.owner !== owner)
  const shown = surface === undefined ? {} : { surface }
  return {
    ...others,
    suspended: pauses.suspended.filter((each) => each.owner !== owner || each.turn === turn),
    waiting: [...others.waiting, { run, agent, ...shown, turn, owner, waits }],
  }
}

function withoutTurn(pauses: Pauses, record: LogRecord): Pauses {
  const ended = turnOf(record)
  return kept(pauses, ({ turn }) => turn !== ended)
}

function kept(pauses: Pauses, stays: (each: Belonging) => boolean): Pauses {
  const { asked, suspended, waiting, left, approvals } = pauses
  // In most threads nothing waits, and each run starts and ends.
  if (asked.length + suspended.length + waiting.length + left.length === 0) return pauses
  return {
    asked: asked.filter(stays),
    suspended: suspended.filter(stays),
    waiting: waiting.filter(stays),
    left: left.filter(stays),
    approvals,
  }
}

/** A run may be stopped after a sub-agent asked: only the questions that its end lists count. */
function isListed(wait: Wait, { data }: LogRecord): boolean {
  const outcome = membersOf(membersOf(data)['outcome'] ?? null)
  const interrupts = outcome['interrupts']
  const pending = ourMetadata(data)['pendingToolCallIds'] ?? outcome['pendingToolCallIds']
  return (
    (Array.isArray(pending) && pending.includes(wait.toolCallId)) ||
    (Array.isArray(interrupts) && interrupts.some((each) => textOf(each, 'id') === wait.id))
  )
}
