import type { CallerEvent } from '../activity/index.ts'
import type { LogRecord } from '../log/index.ts'
import { membersOf } from '../json/index.ts'
import type { JsonObject } from '../json/index.ts'
import { broken } from './client-error.ts'
import { parseJson } from './payload.ts'
import type { CallerEvents, Item, ThreadRecord } from './thread-update.ts'

/** Makes a reader's updates out of frames. Each throws {@link ClientError} `protocol`. */
export interface ReadFrames<Shown extends Item> {
  /** Reads the frames of one position, the last of which carried its id. */
  readonly read: (seq: number, frames: readonly string[]) => Shown
  /** Reads a frame of the state, if the reader wants them. */
  readonly readState?: (frame: JsonObject) => Shown
  /** Reads a frame that the application adds, if the reader wants them. */
  readonly readCarried?: (name: string, frame: JsonObject) => Shown
}

export function readRecord(seq: number, [data = '', ...more]: readonly string[]): ThreadRecord {
  const parsed = parseJson(data, `the record at seq ${seq}`)
  const { seq: ownSeq, type } = membersOf(parsed)
  if (more.length > 0 || ownSeq !== seq || typeof type !== 'string') {
    throw broken(`seq ${seq} holds no record of it`)
  }
  // The server is the authority on a record's other members; which of them a role sees is its ruling.
  return { type: 'record', record: parsed as unknown as LogRecord }
}

export function readCallerEvents(seq: number, frames: readonly string[]): CallerEvents {
  const events = frames.map((data) => {
    const parsed = parseJson(data, `an event at seq ${seq}`)
    const { seq: ownSeq, type } = membersOf(parsed)
    if (ownSeq !== seq || typeof type !== 'string') throw broken(`seq ${seq} holds no event of it`)
    // As above: what an event says is the server's.
    return parsed as unknown as CallerEvent
  })
  return { type: 'events', seq, events }
}
