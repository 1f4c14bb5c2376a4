import type { Interrupt } from '@ag-ui/core'
import type { LogRecord, Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { customValue, ourMetadata, outcomeOf } from './agent-event.ts'
import { membersOf, textOf } from '../json/index.ts'

/** Why an agent waits: for leave to run a tool, for values a tool asked for, for the caller's own tool. */
export type WaitReason = 'tool_approval' | 'input_required' | 'client_tool'

/** One thing that a thread waits for, from whatever depth it was asked. */
export interface Wait {
  /** The interrupt's id, made from what it is about: it cannot be answered for anything else. */
  readonly id: string
  readonly reason: WaitReason
  /** Names of the values that are asked for, each with the words to ask with. */
  readonly requestKeys: Readonly<Record<string, string>>
  readonly toolCallId: string
  readonly toolName: string
  /** The tool's arguments, as JSON, which leave is asked for. */
  readonly arguments: string
  /** Hex SHA-256 over the tool's name, a newline and its arguments. */
  readonly digest: string
  /** What was answered to this call before, when it asks again. */
  readonly answered?: Readonly<Record<string, Json>>
  readonly agent: string
  readonly depth: number
  readonly run: string
}

/** A thread whose last run stopped in the middle to ask. */
export interface Waiting {
  /** The run at depth 0 that stopped. */
  readonly run: string
  readonly agent: string
  readonly turn: string
  readonly waits: readonly Wait[]
}

/** A sub-agent's run that stopped to ask and goes on when it is answered. */
export interface SuspendedRun {
  readonly run: string
  readonly agent: string
  /** The tool call of its caller that its result is for. */
  readonly parentToolCallId: string
  /** As on the records of the run. */
  readonly origin: Origin
}

/** What the log says of waiting: `asked` by runs that are open still, `waiting` once all have stopped. */
export interface Pauses {
  readonly asked: readonly Wait[]
  readonly suspended: readonly SuspendedRun[]
  readonly waiting?: Waiting
}

export const NO_PAUSES: Pauses = { asked: [], suspended: [] }

/** Folds records into what a thread waits for. Pure. */
export function foldPauses(pauses: Pauses, records: Iterable<LogRecord>): Pauses {
  for (const record of records) pauses = foldOne(pauses, record)
  return pauses
}

/** The wait that a record asks for, if it asks. */
export function waitOf(record: LogRecord): Wait | undefined {
  const value = customValue(record, 'wait_for_input')
  if (value === undefined) return undefined
  const { agent = '', depth, run = '' } = record.origin
  const asked = membersOf(value)['requestKeys'] ?? null
  const requestKeys = Object.keys(membersOf(asked)).map((key) => [key, textOf(asked, key)])
  const answered = membersOf(value)['answered']
  return {
    id: textOf(value, 'id'),
    // Written by the engine, from the same union.
    reason: textOf(value, 'reason') as WaitReason,
    requestKeys: Object.fromEntries(requestKeys) as Record<string, string>,
    toolCallId: textOf(value, 'toolCallId'),
    toolName: textOf(value, 'toolName'),
    arguments: textOf(value, 'arguments'),
    digest: textOf(value, 'digest'),
    // Written by the engine as well.
    ...(answered === undefined ? {} : { answered: answered as Record<string, Json> }),
    agent,
    depth,
    run,
  }
}

/** A wait as AG-UI's interrupt. */
export function interruptOf(wait: Wait): Interrupt {
  const { id, reason, toolCallId, requestKeys, digest, depth, run } = wait
  return {
    id,
    reason,
    message: Object.values(requestKeys).join('\n'),
    toolCallId,
    ...(depth > 0 ? { subagentRunId: run } : {}),
    metadata: { throughline: { digest, requestKeys } },
  }
}

function foldOne(pauses: Pauses, record: LogRecord): Pauses {
  switch (record.type) {
    case 'CUSTOM': {
      const wait = waitOf(record)
      return wait ? { ...pauses, asked: [...pauses.asked, wait] } : pauses
    }
    case 'RUN_STARTED':
      // The question has been answered or dropped; runs that are taken up say so themselves.
      return resumedBy(record) ? { asked: [], suspended: pauses.suspended } : NO_PAUSES
    case 'RUN_ERROR':
      return NO_PAUSES
    case 'SUBAGENT_STARTED':
      return {
        ...pauses,
        suspended: pauses.suspended.filter(({ run }) => run !== record.origin.run),
      }
    case 'SUBAGENT_FINISHED':
      return { ...pauses, suspended: [...pauses.suspended, ...suspendedBy(record)] }
    case 'RUN_FINISHED':
      return pausedBy(record, pauses)
    default:
      return pauses
  }
}

/** What was answered to the questions of an earlier run, when this one takes it up. */
export function resumedBy({ data }: LogRecord): readonly Json[] | undefined {
  const resume = membersOf(membersOf(data)['input'] ?? null)['resume']
  // Narrowed by hand: Array.isArray does not narrow readonly arrays away.
  return Array.isArray(resume) ? (resume as readonly Json[]) : undefined
}

function suspendedBy(record: LogRecord): readonly SuspendedRun[] {
  if (outcomeOf(record) !== 'suspended') return []
  const { data, origin } = record
  const { run = '', agent = '' } = origin
  return [{ run, agent, parentToolCallId: textOf(ourMetadata(data), 'parentToolCallId'), origin }]
}

function pausedBy(record: LogRecord, pauses: Pauses): Pauses {
  const waits = pauses.asked.filter((wait) => isListed(wait, record))
  if (waits.length === 0) return NO_PAUSES
  const { run = '', agent = '', turn = run } = record.origin
  return { ...pauses, asked: [], waiting: { run, agent, turn, waits } }
}

/** A run may have been stopped after something below it asked: what it ends with says what counts. */
function isListed(wait: Wait, { data }: LogRecord): boolean {
  const outcome = membersOf(membersOf(data)['outcome'] ?? null)
  const pending = outcome['pendingToolCallIds']
  const interrupts = outcome['interrupts']
  return (
    (Array.isArray(pending) && pending.includes(wait.toolCallId)) ||
    (Array.isArray(interrupts) && interrupts.some((each) => textOf(each, 'id') === wait.id))
  )
}
