import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventLog, LogRecord } from '../../log/index.ts'
import type { FrameWriter } from '../../faces/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { Showing } from './event-stream-pages.ts'
import { chunkOf } from './event-stream-sink.ts'
import type { Chunk } from './event-stream-sink.ts'

/** The most bytes that are collected for one write before it goes out. */
export const TICK_CHARS_MAX = 65_536

/** Records after `from`, up to and with `to`. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly chunk: Chunk
}

/** A reader that has read to the head, or past what its channel has handed out. */
export interface LiveReader {
  readonly cursor: number
  /** False when it can be fed no more and has to read from the log again. */
  feed(stretch: Stretch): boolean
  /** The log has ended, or the channel cannot go on. */
  end(error?: unknown): void
}

/** The channels of one log: one for each showing that has live readers. */
export class Channels {
  readonly #log: EventLog
  readonly #channels = new Map<string, Channel>()

  constructor(log: EventLog) {
    this.#log = log
  }

  /** Up to where the live readers of a showing were fed; −1 when there are none. */
  fed({ key }: Showing): number {
    return this.#channels.get(key)?.fed ?? -1
  }

  /** The channel that feeds a reader from now on, unless there is more for it to read before. */
  join(reader: LiveReader, showing: Showing): Channel | undefined {
    const { key } = showing
    const closed = (): void => {
      // The last batch of a channel that has closed may come when another one has taken its place.
      if (this.#channels.get(key) === channel) this.#channels.delete(key)
    }
    const open = this.#channels.get(key)
    const channel = open ?? new Channel({ log: this.#log, showing, closed }, reader.cursor)
    this.#channels.set(key, channel)
    return channel.admit(reader) ? channel : undefined
  }
}

interface ChannelParts {
  readonly log: EventLog
  readonly showing: Showing
  readonly closed: () => void
}

/**
 * The live end of a thread for all readers of one showing: it follows the log once, encodes the records of
 * one tick of the event loop once, and writes them to every socket in one write.
 */
export class Channel {
  readonly #parts: ChannelParts
  readonly #writer: FrameWriter
  readonly #live = new Set<LiveReader>()
  readonly #records: AsyncIterableIterator<readonly LogRecord[]>
  /** Up to where the readers were fed. */
  #fed: number
  #taken: number
  #frames = ''
  /** Kept only for a showing with its state. */
  readonly #recordsOfTick: LogRecord[] = []

  constructor(parts: ChannelParts, after: number) {
    this.#parts = parts
    this.#writer = parts.showing.newWriter()
    this.#fed = this.#taken = after
    this.#records = parts.log.subscribe(parts.showing.thread, { after })
    inBackground(this.#follow())
  }

  get fed(): number {
    return this.#fed
  }

  /** Adds a reader, unless it has yet to read what the channel has handed out. */
  admit(reader: LiveReader): boolean {
    if (reader.cursor < this.#fed) return false
    this.#live.add(reader)
    return true
  }

  /** Forgets a reader, and ends with the last one. */
  dismiss(reader: LiveReader): void {
    if (this.#live.delete(reader) && this.#live.size === 0) this.#close()
  }

  async #follow(): Promise<void> {
    let failure: unknown
    try {
      for await (const records of this.#records) {
        await this.#writer.catchUp(this.#parts.log, this.#taken)
        this.#take(records)
        if (this.#frames.length < TICK_CHARS_MAX) continue
        this.#feedAll()
        await nextTurn()
      }
    } catch (error) {
      failure = error
    }
    for (const reader of this.#live) reader.end(failure)
  }

  #take(records: readonly LogRecord[]): void {
    if (this.#taken === this.#fed) setImmediate(() => this.#feedAll())
    this.#frames += this.#writer.framesOf(records)
    if (this.#parts.showing.state) this.#recordsOfTick.push(...records)
    this.#taken = records.at(-1)?.seq ?? this.#taken
  }

  #feedAll(): void {
    if (this.#taken === this.#fed) return
    const stretch = { from: this.#fed, to: this.#taken, chunk: chunkOf(this.#frames) }
    this.#fed = stretch.to
    this.#frames = ''
    for (const reader of this.#live) if (!reader.feed(stretch)) this.#live.delete(reader)
    if (this.#live.size === 0) return this.#close()
    this.#parts.showing.state?.follow(this.#recordsOfTick.splice(0))
  }

  #close(): void {
    this.#parts.closed()
    inBackground(this.#records.return?.())
  }
}
