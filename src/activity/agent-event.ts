import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { EventPayloadOf, EventType, Metadata } from '@ag-ui/core'
import type { LogRecord, NewEvent, Origin } from '../log/index.ts'

export type AgentEventType = `${EventType}`

/** Whether a record's type is one of AG-UI's events; no event type of a domain may have such a name. */
export function isAgentEventType(type: string): type is AgentEventType {
  return Object.hasOwn(AGENT_EVENT_TYPES, type)
}

/** The members of an event of a type. */
export type AgentEventPayload<T extends AgentEventType> = {
  [K in EventType]: T extends `${K}` ? EventPayloadOf<K> : never
}[EventType]

/**
 * Makes a storable event of AG-UI's vocabulary: the record's type and data are the wire event's type
 * and its other members.
 */
export function agentEvent<T extends AgentEventType>(
  type: T,
  data: AgentEventPayload<T> & { readonly metadata?: Metadata },
  origin: Origin,
): NewEvent {
  // AG-UI payloads are JSON by definition; their types are interfaces without an index signature.
  return { type, data: data as unknown as Json, origin }
}

/** Makes a `CUSTOM` event for what AG-UI has no word for; stored as `throughline.<name>`. */
export function customEvent(name: string, value: Json, origin: Origin): NewEvent {
  return { type: 'CUSTOM', data: { name: `throughline.${name}`, value }, origin }
}

/** The value of a `throughline.<name>` record, or undefined when the record is another. */
export function customValue(
  record: { readonly type: string; readonly data: Json },
  name: string,
): Json | undefined {
  if (record.type !== 'CUSTOM') return undefined
  const data = membersOf(record.data)
  return isOurName(data['name'], name) ? data['value'] : undefined
}

/** Without making the whole name: each record is asked for all the names that there are. */
function isOurName(whole: Json | undefined, name: string): boolean {
  return (
    typeof whole === 'string' &&
    whole.length === OURS.length + name.length &&
    whole.endsWith(name) &&
    whole.startsWith(OURS)
  )
}

const OURS = 'throughline.'

/** The turn that a record is of. Records of older builds name their run alone. */
export function turnOf({ origin }: Pick<LogRecord, 'origin'>): string {
  return origin.turn ?? origin.run ?? ''
}

/** Returns the outcome type of a `RUN_FINISHED`, or the empty string. */
export function outcomeOf({ data }: Pick<LogRecord, 'data'>): string {
  return textOf(membersOf(data)['outcome'] ?? null, 'type')
}

/** The answers to an earlier run's questions, if this run resumes it. */
export function resumedBy({ data }: LogRecord): readonly Json[] | undefined {
  const { resume } = membersOf(membersOf(data)['input'] ?? null)
  return isJsonArray(resume) ? resume : undefined
}

/** Returns our additions to an AG-UI event, from `metadata.throughline`. */
export function ourMetadata(data: Json): Readonly<Record<string, Json | undefined>> {
  return membersOf(membersOf(membersOf(data)['metadata'] ?? null)['throughline'] ?? null)
}

/**
 * Why the end of a run cut its answer short: a person stopped it, it failed or reached a limit of ours, or
 * the model wrote as much as one call may (`length`).
 */
export function cutOf(end: LogRecord): 'stopped' | 'failed' | 'length' | undefined {
  if (end.type === 'RUN_ERROR') return 'failed'
  if (ourMetadata(end.data)['cut'] === 'length') return 'length'
  if (outcomeOf(end) !== 'cancelled') return undefined
  return textOf(ourMetadata(end.data), 'code') === '' ? 'stopped' : 'failed'
}

const AGENT_EVENT_TYPES: { readonly [Type in AgentEventType]: true } = {
  TEXT_MESSAGE_START: true,
  TEXT_MESSAGE_CONTENT: true,
  TEXT_MESSAGE_END: true,
  TEXT_MESSAGE_CHUNK: true,
  TOOL_CALL_START: true,
  TOOL_CALL_ARGS: true,
  TOOL_CALL_END: true,
  TOOL_CALL_CHUNK: true,
  TOOL_CALL_RESULT: true,
  STATE_SNAPSHOT: true,
  STATE_DELTA: true,
  MESSAGES_SNAPSHOT: true,
  ACTIVITY_SNAPSHOT: true,
  ACTIVITY_DELTA: true,
  RAW: true,
  CUSTOM: true,
  RUN_STARTED: true,
  RUN_FINISHED: true,
  RUN_ERROR: true,
  STEP_STARTED: true,
  STEP_FINISHED: true,
  REASONING_START: true,
  REASONING_MESSAGE_START: true,
  REASONING_MESSAGE_CONTENT: true,
  REASONING_MESSAGE_END: true,
  REASONING_MESSAGE_CHUNK: true,
  REASONING_END: true,
  REASONING_ENCRYPTED_VALUE: true,
  SUBAGENT_STARTED: true,
  SUBAGENT_FINISHED: true,
  SUBAGENT_ERROR: true,
}
