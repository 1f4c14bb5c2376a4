/**
 * Agents, narrators among them, and the one engine that runs them in a thread: turns, runs inside runs,
 * hand-offs, tools, questions that wait for a person, cancels, recovery, due effects and deadlines.
 *
 * Invariant: one turn at a time in a thread, under its lease; each run that starts ends once; a record is
 * appended before a reader sees it. It must never decide what an event means, or answer from anything but
 * the log.
 *
 * @module
 */
export { NOTE_DATA_CHARS_MAX, defineAgent, snakeCase } from './define/agent.ts'
export type { Agent, AgentParts, Annotation, NamedAgent, NarrationContext } from './define/agent.ts'
export type { AnsweringAgent } from './define/output.ts'
export type { AgentLimits } from './define/agent-limits.ts'
export { AgentError } from './define/agent-error.ts'
export type { AgentErrorCode } from './define/agent-error.ts'
export { AgentTurn } from './turn/agent-turn.ts'
export { TurnOutcome } from './scope/turn-outcome.ts'
export type { AgentResult } from './scope/turn-outcome.ts'
export type { CancelRequest } from './turn/cancels.ts'

export type {
  ClientMessage,
  ClientResult,
  ClientTool,
  InterruptAnswer,
} from './scope/client-request.ts'
export type { ContextEntry, PageRequest, SystemMessage } from './define/page-request.ts'

export { requireEvents } from './scope/client-request.ts'
export { knownNames } from './define/known-names.ts'
export { OpenWork } from './open-work.ts'

export type {
  Program,
  ProgramAnswer,
  ProgramQuestion,
  ProgramStep,
  ProgramStepRequest,
  ProposedEvent,
} from './define/program.ts'
export { WHOLE_ANSWER } from './scope/answers.ts'
export { resumeBy } from './resume-by.ts'
export { warnOfFault } from './fault-warning.ts'
export { Runs } from './runs.ts'
export { OPERATOR, SECOND_PERSON } from './turn/answerer.ts'
export type { Answerer } from './turn/answerer.ts'
export type { DirectEvent, TurnInput } from './turn/opening.ts'
export type { AnswerRequest, ResumeRequest, RunsParts, TurnRequest } from './runs.ts'

export { approversOf } from './define/approval-rule.ts'
export { isAgent } from './define/functions.ts'

export { changingAgents } from './define/changing-agents.ts'
export { reachable } from './define/reachable.ts'
export { withinEmits } from './tools/within-emits.ts'
export type { ApprovalText } from '../activity/index.ts'
export { jsonSchemaOf, tool } from './define/tool.ts'
export type { ToolSchema } from './define/sdk-schema.ts'
export type {
  ApprovalOptions,
  ApprovalRule,
  ProposalResult,
  Tool,
  ToolContext,
} from './define/tool.ts'

export { TurnError } from './turn/turn-error.ts'
export type { TurnErrorCode } from './turn/turn-error.ts'
export { TURNS_WAITING_MAX } from './turn/turn-queue.ts'

export { wholeTree } from './whole-tree.ts'
export type { EndedRun } from './whole-tree.ts'
