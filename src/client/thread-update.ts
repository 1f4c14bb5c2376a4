import type { CallerEvent } from '../activity/index.ts'
import type { LogRecord } from '../log/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import type { ClientError } from './client-error.ts'

export type ThreadStatus =
  | { readonly type: 'status'; readonly status: 'connecting' }
  /** The stream is open; records up to `head` are on their way. */
  | {
      readonly type: 'status'
      readonly status: 'live'
      readonly head: number
      readonly epoch: string
      /** When the person of the thread was erased, in milliseconds since the epoch. */
      readonly erasedAt?: number
    }
  /** The stream was lost; it resumes after a pause, at the same position. */
  | { readonly type: 'status'; readonly status: 'reconnecting'; readonly error: ClientError }
  /** The last update: the server will not serve this stream, or does not speak its wire. */
  | { readonly type: 'status'; readonly status: 'refused'; readonly error: ClientError }

/**
 * The cursor could not be served: drop the received records; `state` is the thread at `head`.
 * The stream is live from there. After an erasure (`erased`) it goes on from −1: all records come again, as they are now.
 */
export interface ThreadReset {
  readonly type: 'reset'
  readonly reason: string
  readonly epoch: string
  readonly head: number
  readonly state: Json
  /** When the person of the thread was erased, in milliseconds since the epoch. */
  readonly erasedAt?: number
}

/** The content of one position of a thread, in the form that the reader asked for. */
export type Item = ThreadRecord | CallerEvents | ThreadState | CarriedFrame

export interface ThreadRecord {
  readonly type: 'record'
  readonly record: LogRecord
}

/** All that the caller of agents sees of the record at `seq`: never a part of it. */
export interface CallerEvents {
  readonly type: 'events'
  readonly seq: number
  readonly events: readonly CallerEvent[]
}

/** The thread as this reader may see it after the record at `seq`, which may be still on its way. */
export interface ThreadState {
  readonly type: 'state'
  readonly seq: number
  readonly state: Json
}

/** A frame that the thread's application adds to the stream, under its name. */
export interface CarriedFrame {
  readonly type: 'carried'
  readonly name: string
  readonly data: JsonObject
}

export type Update<Shown extends Item> =
  | Shown
  /** The thread holds a record here of which this reader sees nothing. */
  | { readonly type: 'cursor'; readonly seq: number }
  | ThreadReset
  | ThreadStatus

export type ThreadUpdate = Update<ThreadRecord>
export type StatefulUpdate = Update<ThreadRecord | ThreadState | CarriedFrame>
export type CallerUpdate = Update<CallerEvents>
