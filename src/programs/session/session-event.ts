import type { Json } from '../../json/index.ts'

/** Something that a program says or does, in the same words for each dialect. */
export type SessionEvent =
  /** The program answers: prompts may be written. */
  | { readonly type: 'ready' }
  | SessionOpened
  /** The program has begun to work on a prompt. */
  | { readonly type: 'prompt_taken'; readonly prompt: string }
  /** The program has this prompt in its history and does not run it again; no turn of it follows. */
  | { readonly type: 'prompt_known'; readonly prompt: string }
  /** A prompt that was not begun was taken back. */
  | { readonly type: 'prompt_cancelled'; readonly prompt: string }
  /** A part of a message, as soon as it is known. */
  | MessagePart
  | MessageDelta
  | MessageCompleted
  | ToolResult
  /** A tool's result as soon as it is known; `tool_result` follows once the message of its call is complete. */
  | (Omit<ToolResult, 'type'> & { readonly type: 'result_part' })
  | { readonly type: 'task_started'; readonly task: Task }
  | TaskEnded
  | PermissionAsked
  /** A rule has answered a request for permission, so that nobody is asked. */
  | PermissionDecided
  /** The program no longer asks; an answer would be too late. */
  | { readonly type: 'permission_withdrawn'; readonly request: string }
  /** The provider of the program's model failed. */
  | ProviderFailed
  | { readonly type: 'compacted'; readonly trigger: string; readonly tokensBefore: number | null }
  | TurnEnded
  /** Nothing that was begun is open: no prompt, no turn, no task. */
  | { readonly type: 'idle' }
  /** A line that could not be used. The session goes on. */
  | { readonly type: 'fault'; readonly fault: SessionFault; readonly detail: string }

export type SessionFault =
  | 'line_too_long'
  | 'invalid_utf8'
  | 'half_line'
  /** A line that is no JSON. */
  | 'no_json'
  /** A line of a known type whose members do not fit. */
  | 'bad_line'
  /** A result of a turn without a prompt and without a task. */
  | 'stray_result'
  /** A tool's result without a call. */
  | 'stray_tool_result'
  /** A message or a call whose id was used before. */
  | 'id_used_twice'
  /** More is open than a limit allows; the oldest was closed. */
  | 'too_many_open'

export interface SessionOpened {
  readonly type: 'session'
  readonly sessionId: string
  readonly model: string
  readonly tools: readonly string[]
  readonly version: string
  /** Where the key comes from, as the program calls it. */
  readonly authSource: string | null
}

export type MessageBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Json }

/** The speaker of a message or a result. */
export interface Speaker {
  /** The call that started the sub-agent; null for the program itself. */
  readonly parent: string | null
}

export interface MessagePart extends Speaker {
  readonly type: 'part'
  readonly message: string
  readonly block: MessageBlock
}

/** A piece of a text, of a program that writes it in pieces; no `part` follows for it. */
export interface MessageDelta extends Speaker {
  readonly type: 'delta'
  readonly message: string
  readonly of: 'text' | 'thinking'
  readonly text: string
}

export interface MessageCompleted extends Speaker {
  readonly type: 'message'
  readonly message: string
  readonly blocks: readonly MessageBlock[]
  /** It was cut short by an interrupt. */
  readonly isAborted: boolean
  readonly model: string
}

export interface ToolResult extends Speaker {
  readonly type: 'tool_result'
  readonly call: string
  readonly toolName: string
  readonly input: Json
  readonly content: string
  readonly isError: boolean
  /** What the call did to a file, where the program says it. */
  readonly fileChange?: 'create' | 'update'
}

export interface Task {
  readonly id: string
  /** The id that the turn names which the program begins at the task's end. */
  readonly run: string
  /** The call that started it. */
  readonly call: string | null
  readonly title: string
}

export interface TaskEnded {
  readonly type: 'task_ended'
  readonly task: Task
  readonly status: string
  readonly summary: string
}

export interface PermissionAsked {
  readonly type: 'permission_asked'
  readonly request: string
  readonly call: string | null
  /** The call that started the sub-agent that asks; absent for the program itself, or where it does not say. */
  readonly parent?: string
  readonly toolName: string
  readonly input: Json
  /** What a yes selects, in the program's words, where it is not just this call. */
  readonly grants?: string
  /** Where the call asks a person something: a yes needs the answers, as `answers` of its input. */
  readonly questions?: readonly AskedQuestion[]
}

export interface PermissionDecided extends Pick<PermissionAsked, 'call' | 'toolName' | 'input'> {
  readonly type: 'permission_decided'
  readonly behavior: 'allow' | 'deny'
  /** The rules that decided. */
  readonly rule: string
}

export interface AskedQuestion {
  readonly question: string
  /** Suggested answers; a person may give another. */
  readonly options: readonly string[]
  readonly mayBeSeveral: boolean
}

export interface ProviderFailed extends Speaker {
  readonly type: 'provider_failed'
  /** HTTP status, where the program names one. */
  readonly status: number | null
  readonly text: string
  /** No call succeeds until a person has signed the program in. */
  readonly needsSignIn: boolean
}

export interface ModelUsage {
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
}

export interface TurnEnded {
  readonly type: 'turn_ended'
  /** The prompts that this turn answers; none where the program began it. */
  readonly prompts: readonly string[]
  /** The run of the task whose end began this turn; null where prompts did. */
  readonly taskRun: string | null
  readonly outcome: 'success' | 'error' | 'interrupted'
  /** Why it failed, as the program calls it; empty on success. */
  readonly code: string
  readonly text: string
  readonly steps: number
  /** What the turn cost, sub-agents included; null where the program does not say. */
  readonly costUsd: number | null
  /** Of the program itself in this turn. */
  readonly usage: Omit<ModelUsage, 'model'>
  /** Of all models since the turn before, sub-agents included. */
  readonly usageByModel: readonly ModelUsage[]
}

/** A prompt and the id under which the program does not run it twice. */
export interface Prompt {
  readonly id: string
  readonly text: string
}

export type PermissionAnswer =
  /** The program reads the message, where there is one. */
  | { readonly behavior: 'allow'; readonly input: Json; readonly message?: string | undefined }
  | { readonly behavior: 'deny'; readonly message: string }
