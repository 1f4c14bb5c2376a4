import type { Json, LogRecord } from '../log/index.ts'
import type { ClientError } from './client-error.ts'

export type ThreadStatus =
  | { readonly type: 'status'; readonly status: 'connecting' }
  /** The stream is open; records up to `head` are on their way. */
  | {
      readonly type: 'status'
      readonly status: 'live'
      readonly head: number
      readonly epoch: string
    }
  /** The stream was lost; it is taken up again after a pause, from where it was. */
  | { readonly type: 'status'; readonly status: 'reconnecting'; readonly error: ClientError }
  /** The last update: the server will not serve this stream, or does not speak its wire. */
  | { readonly type: 'status'; readonly status: 'refused'; readonly error: ClientError }

/**
 * The cursor could not be served: what was received is void, and `state` is the thread at `head`.
 * The stream is live from there.
 */
export interface ThreadReset {
  readonly type: 'reset'
  readonly reason: string
  readonly epoch: string
  readonly head: number
  readonly state: Json
}

export type ThreadUpdate =
  | { readonly type: 'record'; readonly record: LogRecord }
  /** The thread holds a record here that this reader may not see. */
  | { readonly type: 'cursor'; readonly seq: number }
  | ThreadReset
  | ThreadStatus
