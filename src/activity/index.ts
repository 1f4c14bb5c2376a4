/**
 * AG-UI's vocabulary on our log: how agent activity is written as records, and what those records say
 * when they are folded. A record's type and data are a wire event's type and other members, so a face
 * can pass stored bytes on. It must never know about HTTP, models or a domain's own events.
 *
 * @module
 */
export { agentActivity } from './agent-activity.ts'
export type { AgentActivity } from './agent-activity.ts'
export {
  agentEvent,
  customEvent,
  customValue,
  cutOf,
  isAgentEventType,
  ourMetadata,
  outcomeOf,
  resumedBy,
  turnOf,
} from './agent-event.ts'
export type { AgentEventPayload, AgentEventType } from './agent-event.ts'
export { AguiMessages } from './agui-messages.ts'
export type { Fault, ReportFault } from './agui-fault.ts'
export type { CallerEvent } from './caller-event.ts'
export { CallerView } from './caller-view.ts'
export { EMPTY_CONVERSATION, foldConversation, messagesOn } from './conversation.ts'
export type { Conversation } from './conversation.ts'
export { CUT_RUNS_MAX, cutReplies, foldCuts } from './cut-runs.ts'
export type { Cut, CutRun } from './cut-runs.ts'
export { FILE_TYPES, filesIn, mediaTypeOf } from './input-file.ts'
export type { FileSource, InputFile, InputPart } from './input-file.ts'
export { ITEMS, ITEM_ROLES, itemEventOf, itemKey } from './items.ts'
export type { ItemEvent, ItemForm, ItemKind } from './items.ts'
export { LastText } from './last-text.ts'
export { ACCEPTED_DATA_CHARS_MAX } from './fold-message.ts'
export { isSpoken } from './message.ts'
export { refusalIn } from './refusal-note.ts'
export type { ConversationMessage, SpokenMessage } from './message.ts'
export {
  EMPTY_RUN_TREE,
  completeTexts,
  findRun,
  foldRunTree,
  itemsAtDepth,
  latestRun,
} from './run-tree.ts'
export type { RunTree, TurnNode } from './run-tree.ts'
export { OUTPUTS_KEPT_MAX } from './run-node.ts'
export type {
  AnsweredItem,
  NoteItem,
  RunItem,
  RunNode,
  RunStatus,
  SaidItem,
  ToolItem,
  ToolState,
} from './run-node.ts'
export { GIVEN_UP_CODE, discardedResult } from './discarded-call.ts'
export { cancellerOf, closeRun, endOpenRuns } from './end-open-runs.ts'

export { mayRunAgain } from './may-run-again.ts'
export { endsRun, foldOpenRuns, startsRun } from './runs.ts'
export type { OpenRun } from './runs.ts'
export {
  DAY_MS,
  NO_DAY_USAGE,
  NO_USAGE_REPORT,
  foldDayUsage,
  foldUsage,
  modelCallOf,
} from './usage.ts'
export type { DayUsage, Usage, UsageReport } from './usage.ts'
export { ownerOf } from './owner.ts'

export { NO_PAUSES, approvalsOf, foldPauses, waitingIn, waitingOf } from './pauses.ts'
export type { OpenApproval, Pauses, SuspendedRun, WaitingTurn } from './pauses.ts'
export { ActivityRedaction } from './redact-activity.ts'
export { interruptOf, isSecondPerson, waitOf } from './waiting.ts'
export type { ApprovalText, ThreadWait, Wait, WaitReason } from './waiting.ts'
