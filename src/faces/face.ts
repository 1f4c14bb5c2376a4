import type { EventLog, LogRecord } from '../log/index.ts'
import type { View } from './view.ts'

/**
 * An encoding of threads as server-sent events, for one kind of reader. All text of a stream comes from
 * its face. The server decides on access, position and pace.
 */
export interface Face {
  /** The value of `?view=` that selects it. */
  readonly name: string
  /** Reads what a request wants of this face. Throws what the query throws. */
  reading(query: FaceQuery): Reading
  /** The frames that a stream begins with. */
  opening(log: LogPlace): string
  /** The position from which to serve a stream whose cursor the log cannot serve, and its first frames. */
  restart(subject: Subject, lost: LostCursor): Promise<{ after: number; frames: string }>
  /** The frame that shows on a silent connection that it is alive; `now` in milliseconds since the epoch. */
  heartbeat(thread: string, now: number): string
}

/** The query of a request. Its methods throw when a parameter is not what they ask for. */
export interface FaceQuery {
  wholeNumber(
    name: string,
    bounds: { readonly min: number; readonly max: number },
  ): number | undefined
}

/** A face as one request asked for it. */
export interface Reading {
  /** Differs between readings of one face that show the same thread differently. */
  readonly key: string
  /** Whether frames of the view's state stand between the others. */
  readonly state: boolean
  writer(subject: Subject): FrameWriter
  /** The same as one JSON answer. */
  list(subject: Subject, page: ListPage): Promise<FaceList>
}

/** A thread and what its reader may see of it. */
export interface Subject {
  readonly thread: string
  readonly view: View
}

export interface LogPlace {
  readonly epoch: string
  readonly head: number
}

export interface LostCursor {
  readonly epoch: string
  readonly reason: 'other_epoch' | 'future'
}

/** Shows the records of one thread, handed to it in their order, as frames. */
export interface FrameWriter {
  /**
   * How the frame of a record is made: from its stored text, by the writer from the record, or by the writer
   * from all records so far.
   */
  readonly frames: 'stored' | 'written' | 'folded'
  /** Folds the records up to a position at which a reader joins: later records may refer to them. */
  catchUp(log: EventLog, upTo: number): Promise<void>
  /** The last frame of a record carries its seq as its id. */
  framesOf(records: readonly LogRecord[]): string
}

export interface ListPage {
  readonly log: EventLog
  readonly after: number
  readonly limit: number
}

export interface FaceList {
  /** The member that holds the list. */
  readonly name: string
  /** Each entry as JSON. */
  readonly texts: readonly string[]
  /** The other members of the answer. */
  readonly rest: Readonly<Record<string, string | number>>
}
