import { setImmediate as nextTurn } from 'node:timers/promises'
import { assert } from '../../assert/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import type { FrameWriter, RunWriter } from '../../faces/index.ts'
import { inBackground } from '../../platform/index.ts'
import { isOver, sharedKey } from './event-stream-pages.ts'
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
  /** Writes the end of the run that has ended with these records. */
  readonly ended?: RunWriter
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
  fed(showing: Showing, writer: FrameWriter): number {
    return this.#channels.get(sharedKey(showing, writer) ?? '')?.fed ?? -1
  }

  /**
   * The channel that feeds a reader from now on, unless there is more for it to read before. The first
   * reader's writer goes on for all.
   */
  join(reader: LiveReader, showing: Showing, writer: FrameWriter): Channel | undefined {
    const key = sharedKey(showing, writer)
    assert(key !== undefined, `Cannot follow "${showing.thread}": its run has not begun`)
    const closed = (): void => {
      // The last batch of a channel that has closed may come when another one has taken its place.
      if (this.#channels.get(key) === channel) this.#channels.delete(key)
    }
    const open = this.#channels.get(key)
    const parts = { log: this.#log, showing, writer, closed }
    const channel = open ?? new Channel(parts, reader.cursor)
    this.#channels.set(key, channel)
    return channel.admit(reader) ? channel : undefined
  }
}

interface ChannelParts {
  readonly log: EventLog
  readonly showing: Showing
  readonly writer: FrameWriter
  readonly closed: () => void
}

/**
 * The live end of a thread for all readers of one showing: it follows the log once, encodes the records of
 * one tick of the event loop once, and writes them to every socket in one write.
 */
export class Channel {
  readonly #parts: ChannelParts
  readonly #live = new Set<LiveReader>()
  readonly #records: AsyncIterableIterator<readonly LogRecord[]>
  #isClosed = false
  /** Up to where the readers were fed. */
  #fed: number
  #taken: number
  #frames = ''
  /** Kept only for a showing with its state. */
  readonly #recordsOfTick: LogRecord[] = []

  constructor(parts: ChannelParts, after: number) {
    this.#parts = parts
    this.#fed = this.#taken = after
    this.#records = parts.log.subscribe(parts.showing.thread, { after })
    inBackground(this.#follow())
  }

  get fed(): number {
    return this.#fed
  }

  get writer(): FrameWriter {
    return this.#parts.writer
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

  /** Forgets a reader. The last one gets the writer, unless that is ahead of what was fed. */
  release(reader: LiveReader): FrameWriter | undefined {
    this.dismiss(reader)
    return this.#isClosed && this.#taken === this.#fed ? this.writer : undefined
  }

  async #follow(): Promise<void> {
    const { writer } = this.#parts
    let failure: unknown
    try {
      for await (const records of this.#records) {
        await writer.catchUp(this.#parts.log, this.#taken)
        // The last reader may have left with the writer meanwhile.
        if (this.#isClosed) return
        this.#take(records)
        if (isOver(writer)) return this.#feedAll()
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
    const { writer, showing } = this.#parts
    if (this.#taken === this.#fed) this.#feedLater()
    this.#frames += writer.framesOf(records)
    if (showing.state) this.#recordsOfTick.push(...records)
    this.#taken = records.at(-1)?.seq ?? this.#taken
  }

  #feedLater(): void {
    const feed = (): void => this.#feedAll()
    // A run's records come in quick succession, and a write costs more than its text.
    setImmediate(this.writer.frames === 'run' ? () => setImmediate(feed) : feed)
  }

  #feedAll(): void {
    if (this.#taken === this.#fed) return
    const { writer, showing } = this.#parts
    const ended = isOver(writer) ? { ended: writer } : {}
    const stretch = { from: this.#fed, to: this.#taken, chunk: chunkOf(this.#frames), ...ended }
    this.#fed = stretch.to
    this.#frames = ''
    for (const reader of this.#live) if (!reader.feed(stretch)) this.#live.delete(reader)
    if (this.#live.size === 0) return this.#close()
    showing.state?.follow(this.#recordsOfTick.splice(0))
  }

  #close(): void {
    this.#isClosed = true
    this.#parts.closed()
    inBackground(this.#records.return?.())
  }
}
