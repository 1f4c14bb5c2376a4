import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

/** One role's view of an application's threads. */
export interface View {
  /** The same for all readers that see a thread alike: the name of their role, and whether data was revealed. */
  readonly key: string
  /** Whether `record` gives every record as it is stored. */
  readonly isUnfiltered: boolean
  /** Whether each reading of the state may fold its thread anew. */
  readonly isTraced: boolean
  /** The record as the role may see it, or undefined when it may not. */
  record(record: LogRecord): LogRecord | undefined
  /** The state as the role may see it: after the record at `at`, or after the newest one. */
  state(thread: string, at?: number): Promise<{ seq: number; state: Json }>
  /** The state as the role may see it after the record at `at`, which goes on record by record. */
  follow(thread: string, at: number): Promise<FollowedState>
  /**
   * A frame that streams with the state send after each record that ends a turn, and to a reader once
   * it has caught up.
   */
  afterTurn?(thread: string): Promise<{ event: string; data: Json } | undefined>
}

/** A state that is folded on, one record at a time. */
export interface FollowedState {
  /** As the role may see it after the last record that was taken. */
  readonly state: Json
  /** Takes the next record of the thread. */
  take(record: LogRecord): void
}
