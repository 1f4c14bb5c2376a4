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
export { AGENT_LIMITS, NOTE_DATA_CHARS_MAX, defineAgent, snakeCase } from './agent.ts'
export type {
  Agent,
  AgentLimits,
  AgentParts,
  Agents,
  InstructionContext,
  Annotation,
  NarrationContext,
} from './agent.ts'
export { AgentError } from './agent-error.ts'
export type { AgentErrorCode } from './agent-error.ts'
export { AgentTurn, endsTurn } from './turn/agent-turn.ts'
export type { AgentResult, TurnReason } from './turn/agent-turn.ts'
export type { CancelRequest } from './turn/cancels.ts'
export {
  CLIENT_ANSWERS_MAX,
  CLIENT_CONTEXT_CHARS_MAX,
  CLIENT_CONTEXT_MAX,
  CLIENT_ID_CHARS_MAX,
  CLIENT_TOOLS_CHARS_MAX,
  CLIENT_TOOLS_MAX,
  TURN_MESSAGES_MAX,
} from './turn/client-request.ts'
export type {
  ClientMessage,
  ClientRequest,
  ClientResult,
  ClientTool,
  ContextEntry,
  InterruptAnswer,
  WireRun,
} from './turn/client-request.ts'
export { recoverThread } from './turn/interrupted.ts'
export { knownNames } from './known-names.ts'
export { LOOK_BATCHES_MAX, LOOK_INTERVAL_MS, OpenWork, THREADS_TAKEN_UP_MAX } from './open-work.ts'
export type { OpenWorkParts } from './open-work.ts'
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
export type {
  AnswerRequest,
  ResumeRequest,
  RunsParts,
  TurnRequest,
  WaitingRequest,
} from './runs.ts'
export { Cancelled, Interrupted } from './turn/stop-reason.ts'
export { APPROVAL_LINES_MAX, APPROVAL_TEXT_CHARS_MAX } from './tools/approval.ts'
export { approversOf } from './tools/approval-rule.ts'
export { OPEN_APPROVALS_MAX } from './tools/open-approvals.ts'
export { reachable } from './reachable.ts'
export type { ApprovalText } from '../activity/index.ts'
export {
  Pause,
  TOOL_CALL_MAX_MS,
  TOOL_OUTPUTS_MAX,
  TOOL_OUTPUT_CHARS_MAX,
  TOOL_PROPOSALS_MAX,
  TOOL_RESULT_CHARS_MAX,
  jsonSchemaOf,
  tool,
} from './tools/tool.ts'
export type { InputSchema, SdkSchema, ToolSchema } from './tools/sdk-schema.ts'
export type {
  ApprovalOptions,
  ApprovalRule,
  Caller,
  Proposed,
  RequestKeysOf,
  SdkCallOptions,
  Tool,
  ToolContext,
  ToolParts,
  ToolProposal,
} from './tools/tool.ts'
export type { FoundTurn } from './turn/wire-ids.ts'
export { TurnError } from './turn/turn-error.ts'
export type { TurnErrorCode } from './turn/turn-error.ts'
export { TURNS_WAITING_MAX, TurnQueue } from './turn/turn-queue.ts'
export { threadBudget } from './turn/turn-scope.ts'
export { TreeError, wholeTree } from './whole-tree.ts'
export type { EndedRun, RunEnding } from './whole-tree.ts'
