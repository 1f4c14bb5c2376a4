import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Origin, Source } from '../log/index.ts'
import type { Json } from '../json/index.ts'

export const REFUSAL_REASONS = {
  unknown_type: true,
  invalid_payload: true,
  not_authorised: true,
  precondition: true,
  locked: true,
  echoed: true,
  evidence_mismatch: true,
  malformed: true,
  too_large: true,
  truncated: true,
  limit: true,
  quoted: true,
} as const

export type RefusalReason = keyof typeof REFUSAL_REASONS

/** The reason why an event is not accepted: a value, so that it can be recorded, shown and replayed. */
export interface Refusal {
  readonly refused: RefusalReason
  readonly detail: string
}

/** The members of a record that a reducer gets besides its data. */
export interface Fact {
  readonly id: string
  readonly ts: number
  readonly origin: Origin
}

/** The circumstances of a proposal, with the id of its record. */
export interface Moment extends Fact {
  /** A person wrote a message in the turn of the proposal. */
  readonly typed: boolean
}

/** The sources that may propose an event type; `when` narrows it to some payloads or circumstances. */
export interface Authority<State, Data> {
  readonly source: Source
  readonly surface?: string
  readonly when?: (state: State, data: Data, at: Moment) => boolean
}

type Plain = string | number | boolean | null | undefined

/** For members of the state, the value that each must have, or values of which it must have one. */
export type From<State> = {
  readonly [Name in keyof State as State[Name] extends Plain ? Name : never]?:
    | State[Name]
    | readonly State[Name][]
}

/**
 * Everything about one event type, in one place.
 *
 * `complete` adds what only the server knows (a computed amount, a text's hash), so that the record
 * holds the fact itself and replay never has to work it out again. `upcasts[0]` lifts data of
 * version 1 to version 2, and so on. `personal` lists the members that hold personal data, such as `name` or
 * `contact.email`: roles that read redacted records do not see them.
 */
export interface EventType<State, Data, Stored> {
  readonly schema: StandardSchemaV1<unknown, Data>
  readonly by: readonly Authority<State, Data>[]
  /** The states that it is accepted in: looked at before the guard, and refused as `precondition`. */
  readonly from?: From<State>
  readonly guard?: (state: State, data: Data, at: Moment) => Refusal | undefined
  readonly complete?: (data: Data, state: State, at: Moment) => Stored
  readonly reduce: (state: State, data: Stored, fact: Fact) => State
  readonly version?: number
  readonly upcasts?: readonly ((data: Json) => Json)[]
  readonly personal?: readonly string[]
}

/** An event type whose payload types were checked where it was written and are erased here. */
export type AnyEventType<State> = EventType<State, unknown, unknown>
