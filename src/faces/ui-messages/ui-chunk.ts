import type { Json, JsonObject } from '../../json/index.ts'

type TextKind = 'text' | 'reasoning'

/** What the AI SDK's UI message stream says of one assistant message, as far as we send it. */
export type UiChunk =
  | { readonly type: 'start'; readonly messageId: string }
  | { readonly type: 'start-step' | 'finish-step' | 'reset-step' }
  | { readonly type: `${TextKind}-start` | `${TextKind}-end`; readonly id: string }
  | { readonly type: `${TextKind}-delta`; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool-input-available'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: Json
    }
  | {
      readonly type: 'tool-output-available'
      readonly toolCallId: string
      readonly output: Json
      /** Another output of the call follows. */
      readonly preliminary?: true
    }
  | { readonly type: 'tool-output-error'; readonly toolCallId: string; readonly errorText: string }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | {
      readonly type: 'tool-approval-request'
      readonly toolCallId: string
      readonly approvalId: string
      readonly reason?: string
      readonly approvalDescriptor: JsonObject
    }
  | {
      readonly type: 'tool-approval-response'
      readonly approvalId: string
      readonly approved: boolean
      readonly reason?: string
    }
  | UiDataChunk
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'abort'; readonly reason: string }
  | { readonly type: 'finish'; readonly finishReason: UiFinishReason }

export interface UiDataChunk {
  readonly type: `data-${string}`
  /** A later part of this type and id takes its place. */
  readonly id?: string
  readonly data: Json
  /** Told to the page as it comes; no part of the message. */
  readonly transient?: true
}

export type UiFinishReason = 'stop' | 'length' | 'tool-calls' | 'error' | 'other'

/** The state as the role may see it; one part of a message, which changes. */
export const STATE_PART = 'data-throughline-state'

/** The frame of a chunk. */
export function chunkText(chunk: UiChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
