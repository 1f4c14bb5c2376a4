import type { CallerEvent } from '../activity/index.ts'
import type { LogRecord } from '../log/index.ts'
import { broken } from './client-error.ts'
import { members, parseJson } from './json.ts'
import type { Payload } from './payload.ts'
import type { CallerEvents, Item, ThreadRecord } from './thread-update.ts'

/**
 * Reads what the frames of one position hold, the last of which carried its id.
 *
 * @throws {@link ClientError} `protocol`
 */
export type ReadPosition<Shown extends Item> = (seq: number, frames: readonly string[]) => Shown

/** How a reader reads what a stream shows it. */
export interface ReadFrames<Shown extends Item> {
  readonly read: ReadPosition<Shown>
  /** Reads a frame of the state, if the reader wants them. */
  readonly readState?: (frame: Payload) => Shown
  /** Reads a frame that the application adds, if the reader wants them. */
  readonly readCarried?: (name: string, frame: Payload) => Shown
}

export const readRecord: ReadPosition<ThreadRecord> = (seq, [data = '', ...more]) => {
  const parsed = parseJson(data, `the record at seq ${seq}`)
  const { seq: ownSeq, type } = members(parsed)
  if (more.length > 0 || ownSeq !== seq || typeof type !== 'string') {
    throw broken(`seq ${seq} holds no record of it`)
  }
  // The server is the authority on a record's other members; which of them a role sees is its ruling.
  return { type: 'record', record: parsed as unknown as LogRecord }
}

export const readCallerEvents: ReadPosition<CallerEvents> = (seq, frames) => {
  const events = frames.map((data) => {
    const parsed = parseJson(data, `an event at seq ${seq}`)
    const { seq: ownSeq, type } = members(parsed)
    if (ownSeq !== seq || typeof type !== 'string') throw broken(`seq ${seq} holds no event of it`)
    // As above: what an event says is the server's.
    return parsed as unknown as CallerEvent
  })
  return { type: 'events', seq, events }
}
