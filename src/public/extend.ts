/**
 * For applications that add routes, streams or consumers of their own beside a server: parts of the library that
 * may still change between versions.
 *
 * @module
 */
export { LastText, agentEvent, customEvent, refusalIn, turnOf } from '../activity/index.ts'
export { Runs } from '../agents/index.ts'
export type { Annotation, NarrationContext, TurnRequest } from '../agents/index.ts'
export { savedRows } from '../consumers/index.ts'
export type { SavedRows } from '../consumers/index.ts'
export { systemClock } from '../due-work/index.ts'
export { RETRY_MS, namedFrame } from '../faces/index.ts'
export type { Face, FrameWriter, Subject } from '../faces/index.ts'
export { COMMIT_RETRIES_MAX, Gate } from '../gate/index.ts'
export { endOf, quotedNames, redactAt, shortJson } from '../json/index.ts'
export { Holdings, ShelvedCursors, recordAt } from '../log/index.ts'
export type { ConsumerRow, Cursors, OpenRow } from '../log/index.ts'
export { OUTPUT_TOKENS_MAX, callModel } from '../models/index.ts'
export {
  ClaudeMemory,
  ProgramSession,
  claudeEnvironment,
  claudeLogin,
  claudeVersion,
  endOrphanedClaude,
  exactRule,
  openClaude,
} from '../programs/index.ts'
export type {
  ClaudeCommand,
  ClaudeLogin,
  ExactRule,
  MessageBlock,
  PermissionAnswer,
  PermissionAsked,
  PermissionDecided,
  ProgramExit,
  SessionEvent,
  SessionLimits,
  ToolResult,
  TurnEnded,
} from '../programs/index.ts'
export {
  ALLOWED_ORIGINS_MAX,
  DRAIN_GRACE_MS,
  EventStreams,
  KeyedRequests,
  Quotas,
  RUN_EVENTS_MAX,
  SEED_LIFETIME_S,
  STREAMS_PER_TOKEN_DEFAULT,
  STREAMS_PER_TOKEN_MAX,
  TURNS_PER_MINUTE_DEFAULT,
  TURNS_PER_MINUTE_MAX,
  TokenIssuer,
  answerStream,
  cursorOf,
  epochOf,
  firstRecord,
  idempotencyKey,
  isLoopback,
  jsonList,
  notFound,
  proposedEvent,
  readBody,
  readOptionalBody,
  readOrigin,
  recordedOnce,
  shownView,
  wholeNumber,
} from '../server/index.ts'
export type { Access, Entrant, ExtensionTools, Pages } from '../server/index.ts'
export { modelHistory } from '../step/index.ts'
export { UnknownKeyError, acceptHeads, openStore } from '../storage/index.ts'
export type { OpenStoreOptions, OpenedStore } from '../storage/index.ts'
export { NewestMap, Pace } from '../thread/index.ts'
export type { Snapshot } from '../thread/index.ts'
