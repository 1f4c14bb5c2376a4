/**
 * The front door: what most programs need first. Each room has its own door (`throughline/log`,
 * `throughline/inline` and so on) for those that need one room only.
 *
 * @module
 */
export { TreeError, defineAgent, tool, wholeTree } from './agents/index.ts'
export { scriptedModel } from './models/index.ts'
export type {
  Agent,
  AgentLimits,
  AgentParts,
  AgentResult,
  AgentTurn,
  DirectEvent,
  EndedRun,
  Proposed,
  Tool,
  ToolContext,
} from './agents/index.ts'
export type { LanguageModel, ScriptedCall, ScriptedReply } from './models/index.ts'
export type { CallerEvent, Usage, UsageReport, Wait } from './activity/index.ts'
export { defineDomain } from './domain/index.ts'
export type { Domain, EventName, EventsOf, ProposalOf } from './domain/index.ts'
export { ManualClock } from './due-work/index.ts'
export type { Clock, EffectRunner } from './due-work/index.ts'
export type { Price, Prices } from './step/index.ts'
export { CLOSE_GRACE_MS, open } from './open.ts'
export type { OpenOptions, Throughline } from './open.ts'
