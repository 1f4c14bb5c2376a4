/**
 * For pages and other readers of a server: a live subscription that resumes, requests, reading JSON, and folds of
 * records into what a page shows. It loads no module of Node.
 *
 * @module
 */
export {
  EMPTY_CONVERSATION,
  EMPTY_RUN_TREE,
  completeTexts,
  customValue,
  cutOf,
  cutReplies,
  endsRun,
  foldConversation,
  foldCuts,
  foldRunTree,
  foldUsage,
  isAgentEventType,
  isSpoken,
  itemsAtDepth,
  latestRun,
  ourMetadata,
  outcomeOf,
  startsRun,
} from '../activity/index.ts'
export type {
  AnsweredItem,
  CallerEvent,
  InputFile,
  InputPart,
  Conversation,
  ConversationMessage,
  Cut,
  CutRun,
  NoteItem,
  RunItem,
  RunNode,
  RunStatus,
  RunTree,
  SaidItem,
  SpokenMessage,
  ToolItem,
  ToolState,
  TurnNode,
  Usage,
  UsageReport,
  Wait,
  WaitingTurn,
} from '../activity/index.ts'
export { Backoff, ClientError, request, resumableFetch, subscribe } from '../client/index.ts'
export type {
  CallerSubscribeOptions,
  CallerUpdate,
  ClientErrorCode,
  Fetch,
  Problem,
  RequestOptions,
  ResumableFetchOptions,
  StatefulUpdate,
  SubscribeOptions,
  ThreadRecord,
  ThreadUpdate,
} from '../client/index.ts'
export {
  REDACTED,
  isJsonArray,
  isJsonObject,
  membersOf,
  startOf,
  textOf,
  valueAt,
  visibleJson,
  visibleText,
} from '../json/index.ts'
export type { Json, JsonObject, JsonValue } from '../json/index.ts'
export type { LogRecord, Origin, Source } from '../log/index.ts'
