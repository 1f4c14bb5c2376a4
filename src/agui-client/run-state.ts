import type { Interrupt, Message, TokenUsage, ToolCall } from '@ag-ui/core'
import type { SubagentNode } from './subagent-tree.ts'

/**
 * Where the last run of a thread stands. `asking`: the request is on its way. `broken`: the stream broke the
 * protocol, was refused or was cut for good, so the run has no outcome here. `left`: this client went away;
 * the run may go on.
 */
export type RunState =
  | { readonly status: 'idle' }
  | { readonly status: 'asking'; readonly runId: string }
  | { readonly status: 'running'; readonly runId: string }
  | {
      readonly status: 'finished'
      readonly runId: string
      readonly result?: unknown
      readonly usage?: readonly TokenUsage[]
    }
  | {
      readonly status: 'interrupted'
      readonly runId: string
      readonly interrupts: readonly Interrupt[]
      readonly usage?: readonly TokenUsage[]
    }
  | { readonly status: 'cancelled'; readonly runId: string; readonly usage?: readonly TokenUsage[] }
  | {
      readonly status: 'failed'
      readonly runId?: string
      readonly message: string
      readonly code?: string
      readonly usage?: readonly TokenUsage[]
    }
  | { readonly status: 'broken'; readonly runId: string; readonly error: Error }
  | { readonly status: 'left'; readonly runId: string }

/** The end of a run for this client. */
export type RunEnd = Exclude<RunState, { readonly status: 'idle' | 'asking' | 'running' }>

/** A step that is under way, of the agent itself or of one of its sub-agents. */
export interface OpenStep {
  readonly name: string
  readonly subagentRunId?: string
}

/** The state of a thread for a page. Each part stays the same object until it changes. */
export interface AguiThreadView<State = unknown> {
  readonly run: RunState
  readonly state: State
  /** False from a patch that did not fit until the next snapshot: the state is the last one that is known. */
  readonly isStateCurrent: boolean
  readonly messages: readonly Message[]
  /** The messages and the tool calls that are still being written. */
  readonly openMessages: ReadonlySet<string>
  readonly openCalls: ReadonlySet<string>
  readonly openSteps: readonly OpenStep[]
  /** Steps that have ended in this run. */
  readonly stepsEnded: number
  /** The sub-agents that no other called, each with those that it called. */
  readonly subagents: readonly SubagentNode[]
  /** Questions that wait for an answer by `resume`. */
  readonly interrupts: readonly Interrupt[]
  /** Calls of the client's own tools that wait for a result. */
  readonly pendingCalls: readonly ToolCall[]
}
