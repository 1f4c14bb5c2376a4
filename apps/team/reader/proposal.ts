import type { Json, Refusal } from 'throughline'
import type { Payload, TeamEventType } from '../events/index.ts'

type Derived = {
  readonly [Type in TeamEventType]: { readonly type: Type; readonly data: Payload<Type> }
}[TeamEventType]

/** An event of one of the stored types, which the domain still checks. */
export type Derivation = Derived | Marked

/** The request of a marker in the lead's text: its data, or the reason of its refusal. */
export interface Marked {
  readonly type: string
  readonly data: Json
  readonly raw: string
  readonly refused?: Refusal
}
