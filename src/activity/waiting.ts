import type { Interrupt } from '@ag-ui/core'
import type { LogRecord, Person } from '../log/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { customValue } from './agent-event.ts'
import { isJsonArray, isJsonObject, membersOf, textOf } from '../json/index.ts'

/** Why an agent waits: for permission to run a tool, for values a tool asked for, for the caller's own tool. */
export type WaitReason = 'tool_approval' | 'input_required' | 'client_tool'

/** The text for the person who approves a tool call. It is recorded with the question. */
export type ApprovalText = {
  /** Short, and with what matters most, such as "Refund £89.00?". */
  readonly question: string
  /** The label of the approving button, such as "Refund £89.00". */
  readonly accept?: string
  /** The effect of waiting, such as "Nothing is paid until you agree." */
  readonly note?: string
  /** The facts for the decision, in reading order. */
  readonly facts?: readonly { readonly label: string; readonly value: string }[]
  /** Why a person is asked. */
  readonly reasons?: readonly string[]
}

/** One question that a thread waits for, from a run at any depth. */
export interface Wait {
  /** The interrupt's id, derived from the question: an answer fits no other question. */
  readonly id: string
  readonly reason: WaitReason
  /** Names of the values that are asked for, each with the words to ask with. */
  readonly requestKeys: Readonly<Record<string, string>>
  /** The values as a JSON Schema, where the tool asked by a schema. */
  readonly schema?: JsonObject
  /** The question of an agent on another server as that asked it: pages get it so, and any answer goes back. */
  readonly interrupt?: JsonObject
  readonly toolCallId: string
  readonly toolName: string
  /** The tool's arguments, as JSON, which permission is asked for. */
  readonly arguments: string
  /** Hex SHA-256 over the tool's name, a newline and its arguments. */
  readonly digest: string
  /** The tool's text about the call, for the person who decides. */
  readonly approval?: ApprovalText
  /** The earlier answers to this call, when it asks again. */
  readonly answered?: Readonly<Record<string, Json>>
  /** Who approved this call, when it asks again. */
  readonly approvedBy?: Person
  /** The roles that decide, where it is not for the page that asked: its turn goes on without an answer. */
  readonly by?: readonly string[]
  /** The person who asked may not be the one who decides. */
  readonly fourEyes?: true
  /** Who asked the agent. */
  readonly asker?: Person
  readonly agent: string
  readonly depth: number
  readonly run: string
}

/** A question of a thread that a person may answer, under its `run`. */
export interface ThreadWait extends Wait {
  readonly thread: string
  readonly app: string
  /** The page or channel that it is asked on, where its agent has one. */
  readonly surface?: string
  /** When another role was asked, in milliseconds since the epoch. */
  readonly ts?: number
}

/** The wait that a record asks for, if it asks. */
export function waitOf(record: LogRecord): Wait | undefined {
  const value = customValue(record, 'wait_for_input')
  if (value === undefined) return undefined
  const { agent = '', depth, run = '' } = record.origin
  const asked = membersOf(value)['requestKeys'] ?? null
  const requestKeys = Object.keys(membersOf(asked)).map((key) => [key, textOf(asked, key)])
  const { answered, approval, approvedBy, asker, by, fourEyes, interrupt, schema } =
    membersOf(value)
  return {
    id: textOf(value, 'id'),
    // Written by the engine, from the same union.
    reason: textOf(value, 'reason') as WaitReason,
    requestKeys: Object.fromEntries(requestKeys) as Record<string, string>,
    ...objectsOf({ schema, interrupt }),
    toolCallId: textOf(value, 'toolCallId'),
    toolName: textOf(value, 'toolName'),
    arguments: textOf(value, 'arguments'),
    digest: textOf(value, 'digest'),
    // Both were written by the engine as well.
    ...(approval === undefined ? {} : { approval: approval as ApprovalText }),
    ...(answered === undefined ? {} : { answered: answered as Record<string, Json> }),
    ...(isJsonArray(by) && { by: by.map(String) }),
    ...(fourEyes === true && { fourEyes }),
    ...(asker === undefined ? {} : { asker: personOf(asker) }),
    ...(approvedBy === undefined ? {} : { approvedBy: personOf(approvedBy) }),
    agent,
    depth,
    run,
  }
}

function objectsOf({ schema, interrupt }: JsonObject): Pick<Wait, 'schema' | 'interrupt'> {
  return {
    ...(isJsonObject(schema) && { schema }),
    ...(isJsonObject(interrupt) && { interrupt }),
  }
}

function personOf(value: Json): Person {
  const [role, actor] = [textOf(value, 'role'), textOf(value, 'actor')]
  return { ...(role !== '' && { role }), ...(actor !== '' && { actor }) }
}

/** Whether a person may decide, where the one who asked may not: nobody whom nothing names. */
export function isSecondPerson({ fourEyes, asker }: Wait, actor: string | undefined): boolean {
  if (!fourEyes) return true
  return actor !== undefined && asker?.actor !== undefined && actor !== asker.actor
}

/** A wait as AG-UI's interrupt. */
export function interruptOf(wait: Wait): Interrupt {
  const { id, reason, toolCallId, requestKeys, schema, digest, approval, depth, run } = wait
  const { interrupt } = wait
  const ours = { digest, requestKeys, ...(approval && { approval }) }
  const asked = {
    id,
    reason,
    message: Object.values(requestKeys).join('\n'),
    toolCallId,
    ...(schema ? { responseSchema: schema } : {}),
    ...(depth > 0 ? { subagentRunId: run } : {}),
  }
  if (!interrupt) return { ...asked, metadata: { throughline: ours } }
  const metadata = {
    ...membersOf(interrupt['metadata'] ?? null),
    throughline: { ...ours, asIs: true },
  }
  return { ...asked, ...interrupt, metadata }
}
