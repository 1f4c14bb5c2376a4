/**
 * The front door: what a program needs to define applications, to open them over a log, and to use them.
 *
 * @module
 */
export { foldConversation, foldRunTree, foldUsage } from '../activity/index.ts'
export type {
  AgentActivity,
  CallerEvent,
  InputFile,
  InputPart,
  Conversation,
  RunTree,
  ThreadWait,
  Usage,
  UsageReport,
  Wait,
} from '../activity/index.ts'
export { defineAgent, tool } from '../agents/index.ts'
export type {
  Agent,
  AgentErrorCode,
  AgentLimits,
  AgentParts,
  AgentResult,
  AgentTurn,
  ApprovalOptions,
  ApprovalRule,
  ApprovalText,
  ClientMessage,
  ClientTool,
  ContextEntry,
  ProposalResult,
  Tool,
  ToolContext,
  TurnErrorCode,
} from '../agents/index.ts'
export { Throughline, defineApp } from '../application/index.ts'
export type {
  AnswerPermission,
  App,
  AppParts,
  ApplicationErrorCode,
  DeclaredIndex,
  OpenedApp,
  ProposedEvent,
  Proposer,
  Role,
  RoleView,
  ThreadsPage,
  ThreadsQuery,
  TurnOf,
  WaitsPage,
  WaitsQuery,
} from '../application/index.ts'
export { InvariantError, ThroughlineError } from '../assert/index.ts'
export { consume } from '../consumers/index.ts'
export type { ConsumeOptions, Consumer } from '../consumers/index.ts'
export { decide, defineDomain, diff, evolve, reconcile, replay } from '../domain/index.ts'
export type {
  AnyEventType,
  At,
  DefinitionErrorCode,
  Domain,
  Due,
  EffectType,
  EventName,
  EventsOf,
  RecordOf,
  Fact,
  LastActivity,
  LibraryRecord,
  Moment,
  ProposalOf,
  Refusal,
  Rule,
} from '../domain/index.ts'
export type { Clock, EffectContext, EffectRunner } from '../due-work/index.ts'
export type { View } from '../faces/index.ts'
export { stableId } from '../gate/index.ts'
export type { GateErrorCode } from '../gate/index.ts'
export { membersOf, parseStrictJson, textOf } from '../json/index.ts'
export type { Json, JsonObject, JsonValue } from '../json/index.ts'
export type { EventLog, LogErrorCode, LogRecord, NewEvent, Origin, Source } from '../log/index.ts'
export { scriptedModel } from '../models/index.ts'
export type {
  LanguageModel,
  ModelErrorCode,
  ModelMessage,
  ScriptedAnswer,
  ScriptedCall,
  ScriptedReply,
} from '../models/index.ts'
export { open } from '../open.ts'
export type { OpenApps, OpenOne, StoreOptions } from '../open.ts'
export type { Price, Prices, ThreadLimits } from '../step/index.ts'
export { SpanIds, telemetry } from '../telemetry/index.ts'
export type { SpanTracer, TelemetryOptions } from '../telemetry/index.ts'
export { neutralise } from '../thread/index.ts'
