import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { ConversationMessage, WaitReason } from '../../activity/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { ContextEntry, PageRequest } from './page-request.ts'
import type { NewEvent, Origin } from '../../log/index.ts'
import type { ModelToolCall } from '../../models/index.ts'
import type { Budget, CallIds, ModelStep, Prices } from '../../step/index.ts'

/**
 * Another process, or an agent on another server, that answers for an agent in place of a model. It runs
 * its own tools; the engine runs those of the agent, decides its proposals and asks its questions.
 */
export interface Program {
  /** The source in the origin of the program's records. */
  readonly source: 'remote' | 'process'
  /** The media types of files that it reads, such as `image/*`; without it, it is given text alone. */
  readonly files?: readonly string[]
  /**
   * Asks the program once and appends its activity to the log. The engine asks again, with the results of the
   * calls that the step returned, until a step returns no calls and no questions.
   *
   * @throws {@link FailedStep} after the program's activity was appended. A failure is retryable only where
   *   the program was not reached at all.
   */
  readonly step: (request: ProgramStepRequest) => Promise<ProgramStep>
}

/** The engine's request to a program. */
export interface ProgramStepRequest {
  readonly thread: string
  /** Names the conversation of the agent: the same for all runs that share a history. */
  readonly conversation: string
  readonly agent: string
  readonly origin: Origin & { readonly run: string; readonly agent: string }
  readonly stepName: string
  readonly instructions: string
  /** The client's context, where the instructions do not hold it: for the turn's own agent alone. */
  readonly context: readonly ContextEntry[]
  /** The client's request, where it began the turn: for the turn's own agent alone. */
  readonly page: PageRequest
  readonly messages: readonly ConversationMessage[]
  /** The tools that the engine runs for the program. */
  readonly tools: readonly LanguageModelV4FunctionTool[]
  readonly toolNames: ReadonlySet<string>
  /** The calls that wait for an answer of a person still, while this turn goes on. */
  readonly waiting: ReadonlySet<string>
  /** The answers to the questions of the step before. */
  readonly answers: readonly ProgramAnswer[]
  /** The state of the thread's domain. */
  readonly state: unknown
  /** The ids of the messages and calls that the thread holds. */
  readonly takenIds: () => ReadonlySet<string>
  /**
   * Has the gate decide about events at once, and resolves with the state after them. They come from the
   * definition of the program or from the person who asked, so the agent's `emits` do not matter.
   */
  readonly propose: (events: readonly ProposedEvent[], by: 'program' | 'person') => Promise<unknown>
  readonly historyChars: number
  readonly resultChars: number
  readonly id: () => string
  readonly calls: CallIds
  readonly append: (events: readonly NewEvent[]) => Promise<unknown>
  readonly prices: Prices
  readonly budget: Budget
  readonly signal: AbortSignal
}

export interface ProposedEvent {
  readonly type: string
  readonly data: unknown
}

/** A step of a program, with its questions to a person. */
export interface ProgramStep extends ModelStep {
  readonly questions: readonly ProgramQuestion[]
  /** What the program gave as the result of its run, besides its words. */
  readonly result?: Json | undefined
}

/** A question of a program. The run waits until it is answered; the answer goes to the program. */
export interface ProgramQuestion {
  /** The program's own id of the question. */
  readonly questionId: string
  /** The call that waits. It is on record. */
  readonly call: ModelToolCall
  /** The engine records the answer as the result of the call; otherwise the program gives the result. */
  readonly isAnsweredByResult: boolean
  readonly reason: Exclude<WaitReason, 'client_tool'>
  readonly requestKeys: Readonly<Record<string, string>>
  /** The members of the program's own interrupt, where pages get it and answer it as it is. */
  readonly interrupt?: JsonObject
}

/** The answer to a question of a program. */
export interface ProgramAnswer {
  readonly questionId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: Json
}
