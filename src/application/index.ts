/**
 * Applications over one log: a domain, the agents that work in its threads, what each role may see and do
 * there, which threads are whose, and the list of them. It must never know HTTP, or where a log is kept.
 *
 * @module
 */
export { isOurThread } from './app-logs.ts'
export type { ExportedRecord } from './app-logs.ts'
export { whyNotAnswer } from './answering.ts'
export type { AskedWait } from './answering.ts'
export { ApplicationError } from './app-error.ts'
export type { ApplicationErrorCode } from './app-error.ts'
export { CALLER } from './caller-role.ts'

export type { DeclaredIndex } from './declared-index.ts'
export { APP_PARTS, defineApp } from './define-app.ts'
export { whyNoApp } from './why-no-app.ts'
export type { AppTypes, RoleNameIn, TypesOfApp } from './app-types.ts'
export type { AnyApp, App, AppParts, EffectsPart, TypesOf } from './define-app.ts'

export { OpenedApp, REVEAL_MAX_MS } from './opened-app.ts'
export type { ProposedEvent, Proposer, TurnOf } from './opened-app.ts'

export { OPERATOR } from '../agents/index.ts'
export { ownerIn } from './owners.ts'
export { RoleReading } from './role-reading.ts'
export { may, sees } from './role.ts'
export type { AnswerPermission, Permission, Role, RoleView } from './role.ts'
export { THREADS_LOOKED_AT_MAX } from './thread-list.ts'
export type { ThreadsPage } from './thread-list.ts'
export { THREADS_LISTED, THREADS_LISTED_MAX, WHERE_VALUES_MAX } from './threads-query.ts'
export type { ThreadsQuery } from './threads-query.ts'

export { Throughline } from './throughline.ts'
export { ERASURE_TEXT_MAX } from './erasures.ts'
export type { ThroughlineParts } from './throughline-parts.ts'
export type { ThreadWait } from '../activity/index.ts'
export type { WaitsPage, WaitsQuery } from './waits.ts'
