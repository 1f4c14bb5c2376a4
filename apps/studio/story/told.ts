import type { Json, LogRecord } from 'throughline/client'
import type { By } from './who.ts'

/** The story of one record. */
export interface Told {
  readonly record: LogRecord
  /** `background`: how a turn went by; a timeline leaves it out. */
  readonly weight: 'mattered' | 'background'
  readonly kind: string
  /** Several where a record holds several facts. */
  readonly sentences: readonly string[]
  /** Its data, without the log's wrapping. */
  readonly payload: Json
  /** The name to show for it: a message that the system closed belongs to the one who began it. */
  readonly by: By
  /** The whole text that it is part of, ends or keeps. */
  readonly whole?: string
  /** Facts of a recovered thread's seed that earlier records do not have, oldest first. */
  readonly recovered?: readonly RecoveredTelling[]
  /** When a recovery restated this message, in milliseconds since the epoch. */
  readonly restatedAt?: number
}

/** A fact that a recovery seed brought back, as an auditor reads it. */
export interface RecoveredTelling {
  /** Of the event that recorded the fact where it happened. */
  readonly type: string
  /** ISO-8601, in UTC. */
  readonly ts: string
  readonly kind: string
  readonly summary: string
  readonly payload?: Json
}
