/**
 * The front door: what most programs need first. Each room has its own door (`throughline/log`,
 * `throughline/inline` and so on) for those that need one room only.
 *
 * @module
 */
export { AgentError, TreeError, TurnError, defineAgent, tool, wholeTree } from './agents/index.ts'
export { ModelError, scriptedModel } from './models/index.ts'
export type {
  Agent,
  AgentLimits,
  AgentParts,
  AgentResult,
  AgentTurn,
  ApprovalOptions,
  ApprovalRule,
  ApprovalText,
  Caller,
  ClientMessage,
  ClientTool,
  ContextEntry,
  DirectEvent,
  EndedRun,
  Proposed,
  Tool,
  ToolContext,
} from './agents/index.ts'
export type { LanguageModel, ScriptedCall, ScriptedReply } from './models/index.ts'
export type {
  AgentActivity,
  CallerEvent,
  ThreadWait,
  Usage,
  UsageReport,
  Wait,
} from './activity/index.ts'
export { ApplicationError, CLOSE_GRACE_MS, Throughline, defineApp } from './application/index.ts'
export type {
  AnswerPermission,
  App,
  AppParts,
  AppTypes,
  DeclaredIndex,
  OpenedApp,
  ProposedEvent,
  Proposer,
  Role,
  RoleView,
  ThreadsPage,
  ThreadsQuery,
  TurnOf,
  TypesOf,
  WaitsPage,
  WaitsQuery,
} from './application/index.ts'
export { InvariantError } from './assert/index.ts'
export { DefinitionError, defineDomain } from './domain/index.ts'
export type { Domain, EventName, EventsOf, ProposalOf } from './domain/index.ts'
export { ManualClock } from './due-work/index.ts'
export type { Clock, EffectRunner } from './due-work/index.ts'
export type { View } from './faces/index.ts'
export { GateError } from './gate/index.ts'
export { LogError } from './log/index.ts'
export type { Price, Prices } from './step/index.ts'
export { open } from './open.ts'
export type { OpenApps, OpenOne, StoreOptions } from './open.ts'
