import type { ContentPart } from '@ag-ui/core'
import { isJsonArray, membersOf, textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { contentText } from './content-text.ts'
import { listIn } from './interrupts.ts'
import type { WireEvent } from './wire-event.ts'

/** A part of an event that a client does not receive as it was: left out, changed, or too long to be read. */
export interface AguiLoss {
  readonly code: 'pending_tool_calls' | 'cancelled_outcome' | 'content_parts' | 'frame_too_long'
  /** The event that it is about. */
  readonly type: WireEvent['type']
}

/**
 * An event for a client from before AG-UI 1.0, which refuses the whole stream when it meets an unknown
 * outcome or content. A cancelled run ends as an error, because such clients show any other end as a
 * success.
 */
export function downgraded(event: WireEvent, onLoss: (loss: AguiLoss) => void): WireEvent {
  const lose = (code: AguiLoss['code']): void => onLoss({ code, type: event.type })
  switch (event.type) {
    case 'RUN_FINISHED':
      return withKnownOutcome(event, lose)
    case 'TOOL_CALL_RESULT':
      return withPlainContent(event, lose)
    case 'MESSAGES_SNAPSHOT': {
      const messages = listIn(event['messages']).map((message) => {
        const isTool = textOf(message, 'role') === 'tool'
        return isTool ? withPlainContent(membersOf(message), lose) : message
      })
      return { ...event, messages }
    }
    default:
      return event
  }
}

function withKnownOutcome(event: WireEvent, lose: (code: AguiLoss['code']) => void): WireEvent {
  const { outcome = null, usage, metadata, timestamp } = event
  const end = textOf(outcome, 'type')
  if (end === 'cancelled') {
    lose('cancelled_outcome')
    const error = { type: 'RUN_ERROR', message: 'The run was cancelled', code: end }
    return { ...error, usage, metadata, ...(timestamp === undefined ? {} : { timestamp }) }
  }
  if (end !== 'success' || membersOf(outcome)['pendingToolCallIds'] === undefined) return event
  lose('pending_tool_calls')
  // assistant-ui answers open calls only after an end without an outcome.
  return { ...event, outcome: undefined }
}

function withPlainContent<Holder extends { readonly [member: string]: Json | undefined }>(
  holder: Holder,
  lose: (code: AguiLoss['code']) => void,
): Holder {
  const { content } = holder
  if (!isJsonArray(content)) return holder
  lose('content_parts')
  // Parts come from agents that speak AG-UI, and are stored as they came.
  return { ...holder, content: contentText(content as unknown as ContentPart[]) }
}
