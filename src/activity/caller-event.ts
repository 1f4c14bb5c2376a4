import type { LogRecord, Person } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { turnOf } from './agent-event.ts'
import type { CallUsage } from './usage.ts'
import type { InputFile } from './input-file.ts'
import type { Wait } from './waiting.ts'

/** The place of a caller's event in the tree of agents. */
export interface CallerEventBase {
  readonly agent: string
  /** 0 for the agent that was asked, 1 for those it calls, and so on. */
  readonly depth: number
  /** The names of the agents from the top one down to this one. */
  readonly path: readonly string[]
  readonly run: string
  readonly parentRun?: string
  /** The tool call that caused this run. */
  readonly call?: string
  /** The run that the caller started: the same in all of its tree. */
  readonly turn: string
  /** Counts model calls that were made again after one failed, from 1. */
  readonly attempt?: number
  /** The record that this event was read off, and when it was stored, in milliseconds. */
  readonly seq: number
  readonly ts: number
}

export function callerEventBase(record: LogRecord): CallerEventBase {
  const { origin, seq, ts } = record
  const { agent = '', depth, path = [agent], run = '' } = origin
  const turn = turnOf(record)
  const { parentRun, call, attempt } = origin
  const base: { -readonly [Name in keyof CallerEventBase]: CallerEventBase[Name] } = {
    agent,
    depth,
    path,
    run,
    turn,
    seq,
    ts,
  }
  if (parentRun !== undefined) base.parentRun = parentRun
  if (call !== undefined) base.call = call
  if (attempt !== undefined) base.attempt = attempt
  return base
}

/** The reason for the end of a run. */
export type EndReason = 'success' | 'error' | 'limit' | 'handoff'

/** The caller's view of what agents do: one event of seed 002's vocabulary. */
export type CallerEvent = CallerEventBase &
  (
    | {
        readonly type: 'prompt_started'
        readonly content: string
        /** Of the person's message. */
        readonly files?: readonly InputFile[]
      }
    | {
        readonly type: 'resume_with_input'
        readonly values: Json
        /** Who answered, as far as that is known. */
        readonly by?: Person
      }
    | { readonly type: 'completion_start'; readonly step: string }
    | { readonly type: 'chat_output'; readonly delta: string; readonly messageId: string }
    | { readonly type: 'reasoning_content'; readonly delta: string; readonly messageId: string }
    | {
        readonly type: 'tool_call'
        readonly toolCallId: string
        readonly name: string
        /** The model's text, unparsed; it may be no JSON. */
        readonly arguments: string
      }
    | {
        readonly type: 'tool_output'
        readonly toolCallId: string
        readonly name: string
        readonly output: Json
      }
    | {
        readonly type: 'tool_result'
        readonly toolCallId: string
        readonly name: string
        readonly result: Json
        /** The roles that it waits for: its own result, or error, is a later event of the same call. */
        readonly pending?: readonly string[]
      }
    | {
        readonly type: 'tool_error'
        readonly toolCallId: string
        readonly name: string
        readonly error: string
        readonly code: string
      }
    | {
        readonly type: 'subagent_call'
        readonly targetAgent: string
        readonly message: string
        readonly toolCallId: string
      }
    | {
        readonly type: 'subagent_result'
        readonly sourceAgent: string
        readonly result: string
        readonly toolCallId: string
      }
    | {
        readonly type: 'completion_end'
        readonly step: string
        readonly usage: CompletionUsage
        /** Why the model stopped, or the code of its error. */
        readonly finishReason: string
      }
    | {
        readonly type: 'wait_for_input'
        readonly requestKeys: Readonly<Record<string, string>>
        readonly waits: readonly Wait[]
      }
    | { readonly type: 'turn_cancelled' }
    | {
        readonly type: 'turn_end'
        readonly reason: EndReason
        /** The agent's last text. */
        readonly result: string
        readonly handoffTo?: string
        /** The model wrote as much as one call may, so its last text has no end. */
        readonly cut?: 'length'
        readonly error?: { readonly code: string; readonly message: string }
      }
    | { readonly type: 'reset_history' }
    | { readonly type: 'event'; readonly name: string; readonly data: Json }
    | { readonly type: 'event_refused'; readonly name: string; readonly reason: string }
  )

export type CallerEventType = CallerEvent['type']

type Body<Event> = Event extends CallerEvent ? Omit<Event, keyof CallerEventBase> : never

export type CallerEventBody = Body<CallerEvent>

/** The usage of one model call. Counts that the provider did not report are absent. */
export type CompletionUsage = CallUsage & {
  readonly model: string
  /** Wall time of the call in milliseconds. */
  readonly elapsedMs?: number
}
