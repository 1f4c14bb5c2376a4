import type { LogRecord, NewEvent, Origin } from '../log/index.ts'
import { agentEvent, ourMetadata } from './agent-event.ts'

/** The error code of a tool call that was begun and never counted. */
const DISCARDED = 'discarded'

/** Why a call does not count: its model call failed, or told the same call before. */
const CONTENT = {
  failed: 'The model call ended before this call was complete',
  repeated: 'The model call told this call twice; it runs once',
}

/** Answers a tool call that does not count, so that it is not pending. */
export function discardedResult(
  call: {
    readonly toolCallId: string
    readonly messageId: string
    readonly subagentRunId?: string
  },
  origin: Origin,
  why: keyof typeof CONTENT = 'failed',
): NewEvent {
  const data = {
    ...call,
    content: CONTENT[why],
    role: 'tool' as const,
    metadata: { throughline: { error: DISCARDED } },
  }
  return agentEvent('TOOL_CALL_RESULT', data, origin)
}

export function isDiscarded({ data }: Pick<LogRecord, 'data'>): boolean {
  return ourMetadata(data)['error'] === DISCARDED
}

/** The error code of a call that waited when a new turn passed over it. */
export const GIVEN_UP_CODE = 'given_up'

/** Whether a result comes after its call was told that it waits for an approval. */
export function isLate({ data }: Pick<LogRecord, 'data'>): boolean {
  return ourMetadata(data)['late'] !== undefined
}

export function isGivenUp({ data }: Pick<LogRecord, 'data'>): boolean {
  return ourMetadata(data)['error'] === GIVEN_UP_CODE
}
