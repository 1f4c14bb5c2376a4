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
export { NOTE_DATA_CHARS_MAX, defineAgent, snakeCase } from './agent.ts'
export type { Agent, AgentLimits, AgentParts, Annotation, NarrationContext } from './agent.ts'
export { AgentError } from './agent-error.ts'
export type { AgentErrorCode } from './agent-error.ts'
export { AgentTurn } from './turn/agent-turn.ts'
export type { AgentResult } from './turn/agent-turn.ts'
export type { CancelRequest } from './turn/cancels.ts'

export type {
  ClientMessage,
  ClientResult,
  ClientTool,
  ContextEntry,
  InterruptAnswer,
} from './turn/client-request.ts'

export { knownNames } from './known-names.ts'
export { OpenWork } from './open-work.ts'

export type {
  Program,
  ProgramAnswer,
  ProgramQuestion,
  ProgramStep,
  ProgramStepRequest,
} from './run/program.ts'
export { resumeBy } from './turn/resume-by.ts'
export { warnOfFault } from './fault-warning.ts'
export { Runs } from './runs.ts'
export { OPERATOR, SECOND_PERSON } from './turn/answerer.ts'
export type { Answerer } from './turn/answerer.ts'
export type { DirectEvent, TurnInput } from './turn/opening.ts'
export type { AnswerRequest, ResumeRequest, RunsParts, TurnRequest } from './runs.ts'

export { approversOf } from './tools/approval-rule.ts'

export { reachable } from './reachable.ts'
export type { ApprovalText } from '../activity/index.ts'
export { jsonSchemaOf, tool } from './tools/tool.ts'
export type { ToolSchema } from './tools/sdk-schema.ts'
export type {
  ApprovalOptions,
  ApprovalRule,
  ProposalResult,
  Tool,
  ToolContext,
} from './tools/tool.ts'

export { TurnError } from './turn/turn-error.ts'
export type { TurnErrorCode } from './turn/turn-error.ts'
export { TURNS_WAITING_MAX } from './turn/turn-queue.ts'

export { wholeTree } from './whole-tree.ts'
export type { EndedRun } from './whole-tree.ts'
