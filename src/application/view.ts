import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'

/** What one role may see of threads; every reader is given one. */
export interface View {
  readonly role: string
  /** Whether `record` gives every record as it is stored. */
  readonly whole: boolean
  /** The record as the role may see it, or nothing when it may not. */
  record(record: LogRecord): LogRecord | undefined
  /** The state as the role may see it, at a seq or at the head. */
  state(thread: string, at?: number): Promise<{ readonly seq: number; readonly state: Json }>
}
