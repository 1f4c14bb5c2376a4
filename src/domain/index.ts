/**
 * The events that may happen and their meaning: event types with their schema, authority, guard and reducer,
 * the rules that follow from them, the effects and deadlines that a state makes due, and `given` to test
 * them. Everything here is a pure function of its arguments: the same log gives the same state on any
 * machine. It must never know where a log is kept, or call a model.
 *
 * @module
 */
export { authorityOf } from './authority-of.ts'
export { decide } from './decide.ts'
export type { DecideContext, DecidedEvent, Decision, Proposal } from './decide.ts'
export { DefinitionError } from './definition-error.ts'
export type { DefinitionErrorCode } from './definition-error.ts'
export { defineDomain } from './define-domain.ts'
export type {
  Domain,
  EffectInputs,
  EventEntries,
  EventName,
  EventsOf,
  RecordOf,
  StoredEvent,
  ProposalOf,
  Rule,
} from './define-domain.ts'
export { diff } from './diff.ts'
export type { Operation } from './diff.ts'
export { DUE_KEY_CHARS_MAX, DUE_MAX, dueDeadlines, dueEffects, isStillDue } from './due.ts'
export type {
  At,
  DeadlineType,
  Due,
  DueDeadline,
  DueEffect,
  EffectInput,
  EffectType,
  Falsy,
  LastActivity,
} from './due.ts'
export type { AnyEventType, Authority, Fact, Moment, Refusal } from './event-type.ts'
export { explainIssues } from './explain-issues.ts'
export { evolve, evolveUnfrozen, holdsRedacted, lifted, replay, unmarked } from './evolve.ts'

export { given } from './given.ts'
export type { Scenario, WhenOptions } from './given.ts'
export { PLAIN_NAME, isPlainName } from './plain-name.ts'
export { RECONCILE_ROUNDS_MAX, reconcile } from './reconcile.ts'

export { RecordRedaction } from './redact-event.ts'
export { ERASURE, hasLostMember, isObjectMember, whyReserved } from './reserved-names.ts'
export type { LibraryRecord } from './reserved-names.ts'
export { joinedSchema, schemaChanges } from './schema-changes.ts'
export { storedSchema } from './stored-schema.ts'
export { TracedRedaction, evolveOthers, initialOthers } from './trace-personal.ts'
export type { OtherStates } from './trace-personal.ts'
