import type { InputFile } from './input-file.ts'

export interface MessageBase {
  readonly id: string
  readonly text: string
  /** The seq of its first record. */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly ts: number
  readonly agent?: string
  readonly surface?: string
  readonly run?: string
  readonly status: 'open' | 'complete'
  /** Text of a failed model call: people saw it, later prompts leave it out. */
  readonly failed?: true
}

/** A message of a person or an agent. */
export interface SpokenMessage extends MessageBase {
  readonly role: 'user' | 'assistant'
  /** Of a person's message. */
  readonly files?: readonly InputFile[]
}

/** A note for the model; people do not see it. */
export interface NoteMessage extends MessageBase {
  readonly role: 'note'
  /** It sums up the messages before it. */
  readonly isSummary?: true
}

/**
 * A thought of a model. `encrypted` is the provider's own form of it, sent back unread, and only with the
 * prompt that it belongs to.
 */
export interface ReasoningMessage extends MessageBase {
  readonly role: 'reasoning'
  readonly encrypted?: string
  /** Names the instructions and tools of the call. */
  readonly prompt?: string
}

/** A tool call; its text is the arguments, as JSON. */
export interface ToolCallMessage extends MessageBase {
  readonly role: 'call'
  readonly name: string
  readonly encrypted?: string
  /** The message that an agent on another server put it in. */
  readonly parent?: string
}

/** The result of a tool call. */
export interface ToolMessage extends MessageBase {
  readonly role: 'tool'
  readonly call: string
  readonly outcome: 'good' | 'failed'
  /** The tool, where the call had the result before that it waits for an approval. */
  readonly late?: string
}

export type ConversationMessage =
  | SpokenMessage
  | NoteMessage
  | ReasoningMessage
  | ToolCallMessage
  | ToolMessage

/** Whether a message is one that people wrote or can read. */
export function isSpoken(message: ConversationMessage): message is SpokenMessage {
  return message.role === 'user' || message.role === 'assistant'
}
