import type { EventLog, LogRecord } from '../log/index.ts'
import type { View } from './view.ts'

/**
 * An encoding of threads as server-sent events, for one kind of reader. All text of a stream comes from
 * its face. The server decides on access, position and pace.
 */
export interface Face extends StreamFace {
  /** Reads what a request wants of this face. Throws what the query throws. */
  reading(query: FaceQuery): ListedReading
}

/** The name of a face, and the frames of its streams beside those of records. */
export interface StreamFace {
  /** Different for each face. `?view=` selects a face of threads by it. */
  readonly name: string
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
}

export interface ListedReading extends Reading {
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
  /** When the person of the thread was erased, in milliseconds since the epoch. */
  readonly erasedAt?: number
}

export interface LostCursor extends Omit<LogPlace, 'head'> {
  /** `erased`: the reader holds what was erased since, and gets all records again. */
  readonly reason: 'other_epoch' | 'future' | 'erased'
}

/** Shows the records of one thread, handed to it in their order, as frames. */
export type FrameWriter = ThreadWriter | RunWriter

interface Writer {
  /** Folds the records up to a position at which a reader joins: later records may refer to them. */
  catchUp(log: EventLog, upTo: number): Promise<void>
  /** The last frame of a record carries its seq as its id. */
  framesOf(records: readonly LogRecord[]): string
}

export interface ThreadWriter extends Writer {
  /**
   * How the frame of a record is made: from its stored text, by the writer from the record, or by the writer
   * from all records so far.
   */
  readonly frames: 'stored' | 'written' | 'folded'
}

/**
 * Shows one run of a thread. Its stream begins with the run and is complete at the run's end. Readers may
 * name the run differently: they share all frames between its first ones and its last ones.
 */
export interface RunWriter extends Writer {
  readonly frames: 'run'
  readonly status: 'awaited' | 'open' | 'over'
  /** While the run is open: the same for all writers that show it. */
  readonly run: string
  /** The name that its own reader gives the run. */
  readonly name: string
  /** The first frames of its own reader, and the position after which the records follow. */
  begin(): Promise<{ readonly after: number; readonly frames: string }>
  /** All frames of recorded records, for its own reader alone. */
  ownFramesOf(records: readonly LogRecord[]): Promise<string>
  /** The last frames of a run that ended within `framesOf`, which leaves them out. */
  endFor(name: string): string
}

export interface ListPage {
  readonly log: EventLog
  /** The history that the positions of the list belong to. */
  readonly epoch: string
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
