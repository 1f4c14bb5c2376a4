import type { Interrupt } from '@ag-ui/core'
import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { customValue } from './agent-event.ts'
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
