import { setImmediate as nextTurn } from 'node:timers/promises'
import { assert } from '../../assert/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { Channel, Channels, LiveReader, Stretch } from './event-stream-channel.ts'
import type { FrameWriter, RunWriter } from '../../faces/index.ts'
import { isOver } from './event-stream-pages.ts'
import type { Pages, Showing } from './event-stream-pages.ts'
import { chunkOf } from './event-stream-sink.ts'
import type { Chunk, Sink } from './event-stream-sink.ts'
import type { StateSubscriber } from './event-stream-state.ts'

export interface ReaderParts {
  readonly log: EventLog
  readonly showing: Showing
  readonly pages: Pages
  readonly channels: Channels
  /** Its answer has begun. */
  readonly sink: Sink
  readonly after: number
  /** Writes what follows that position. */
  readonly writer: FrameWriter
  readonly heartbeat: () => string
}

/**
 * A cursor and a sink that pulls: it reads pages from the log as fast as the sink takes them, is fed
 * by a channel while it has seen everything, and reads on by itself when its sink was full.
 */
export class StreamReader implements LiveReader, StateSubscriber {
  readonly #parts: ReaderParts
  readonly #sink: Sink
  /** Absent while a channel's writer goes on for it, and after that until it reads by itself again. */
  #writer: FrameWriter | undefined
  /** The name of its run. */
  #run = ''
  readonly #ended = Promise.withResolvers<void>()
  #open = true
  #cursor: number
  #channel: Channel | undefined
  /** The records among which the run will begin. */
  #awaited: AsyncIterableIterator<readonly LogRecord[]> | undefined
  /** When the sink became full. */
  #fullSince: number | undefined

  constructor(parts: ReaderParts) {
    this.#parts = parts
    this.#sink = parts.sink
    this.#writer = parts.writer
    this.#cursor = parts.after
  }

  get cursor(): number {
    return this.#cursor
  }

  get isLive(): boolean {
    return this.#channel !== undefined
  }

  get isFull(): boolean {
    return this.#fullSince !== undefined
  }

  /** Resolves when the stream has ended. */
  run(): Promise<void> {
    this.#parts.showing.state?.show(this)
    this.#pull()
    return this.#ended.promise
  }

  feed({ from, to, chunk, ended }: Stretch): boolean {
    if (this.#cursor >= to) return true
    if (this.#cursor > from) {
      // The reader has read some of these records already.
      this.#channel = undefined
      this.#pull()
      return false
    }
    this.#cursor = to
    // It holds all messages of its thread.
    if (this.#writer?.frames === 'run') this.#writer = undefined
    if (!ended) return this.take(chunk)
    this.#write(chunk)
    this.#write(chunkOf(ended.endFor(this.#run)))
    this.#complete()
    return false
  }

  take(chunk: Chunk): boolean {
    if (this.#write(chunk)) return true
    if (this.#channel) {
      const writer = this.#channel.release(this)
      this.#writer ??= writer
      this.#channel = undefined
      this.#pullOnceDrained()
    }
    return false
  }

  end(error?: unknown): void {
    if (this.#open) this.#leave()
    if (!this.#sink.closed) this.#sink.end()
    if (error === undefined) this.#ended.resolve()
    else this.#ended.reject(error)
  }

  /** Ends the answer as a whole one; the stream ends once its reader has taken it. */
  #complete(): void {
    this.#leave()
    this.#sink.finish()
    this.#sink.onceClosed(this.#ended.resolve)
  }

  #leave(): void {
    this.#open = false
    this.#channel?.dismiss(this)
    this.#parts.showing.state?.dismiss(this)
    inBackground(this.#awaited?.return?.())
  }

  /** Shows that the connection is alive, unless so much waits in it that this shows anyway. */
  beat(): void {
    if (this.#open && !this.isFull) this.#sink.write(chunkOf(this.#parts.heartbeat()))
  }

  isStalled(now: number, maxMs: number): boolean {
    return this.#fullSince !== undefined && now - this.#fullSince > maxMs
  }

  #pull(): void {
    this.#readToHead().catch((error: unknown) => this.end(error))
  }

  async #readToHead(): Promise<void> {
    const { channels, showing, log } = this.#parts
    while (this.#open && !this.#channel) {
      const writer = (this.#writer ??= showing.newWriter())
      if (writer.frames === 'run') await writer.catchUp(log, this.#cursor)
      const fed = channels.fed(showing, writer)
      await this.#readPages(writer)
      assert(
        !this.#open || this.#cursor >= fed,
        `Cannot follow "${showing.thread}": ${this.#cursor + 1} was published and is not stored`,
      )
      if (!this.#open) return
      if (isOver(writer)) return this.#complete()
      if (writer.frames === 'run' && writer.status === 'awaited') await this.#readUntilBegun(writer)
      else this.#join(writer)
    }
  }

  #join(writer: FrameWriter): void {
    const { channels, showing } = this.#parts
    if (writer.frames === 'run') this.#run = writer.name
    this.#channel = channels.join(this, showing, writer)
    if (this.#channel?.writer === writer) this.#writer = undefined
    if (this.#channel) showing.state?.show(this)
  }

  /** Reads the records that come until the run begins, for this reader alone. */
  async #readUntilBegun(writer: RunWriter): Promise<void> {
    const { log, showing } = this.#parts
    this.#awaited = log.subscribe(showing.thread, { after: this.#cursor })
    for await (const records of this.#awaited) {
      const chunk = chunkOf(await writer.ownFramesOf(records))
      if (!this.#open) return
      this.#cursor += records.length
      await this.#flush(chunk)
      if (writer.status !== 'awaited') return
    }
    this.end()
  }

  async #readPages(writer: FrameWriter): Promise<void> {
    const { log, showing, pages } = this.#parts
    const head = await log.head(showing.thread)
    while (this.#open && this.#cursor < head && !isOver(writer)) {
      const page = await pages.after(showing, this.#cursor, writer)
      if (!page || !this.#open) return
      this.#cursor = page.to
      await this.#flush(page.chunk)
      // The last page leads to the channel at once, or a thread that never rests would keep ahead.
      if (this.#cursor < head) await nextTurn()
    }
  }

  /** Writes a page and waits until the sink has taken it: never is more than one of them held. */
  async #flush(chunk: Chunk): Promise<void> {
    const taken = isEmpty(chunk) ? undefined : this.#sink.flush(chunk)
    if (!taken) return
    this.#fullSince = performance.now()
    await taken
    this.#fullSince = undefined
  }

  #write(chunk: Chunk): boolean {
    return isEmpty(chunk) || this.#sink.write(chunk)
  }

  #pullOnceDrained(): void {
    this.#fullSince = performance.now()
    this.#sink.onceDrained(() => {
      this.#fullSince = undefined
      this.#pull()
    })
  }
}

/** An empty chunk would end the answer. Records of which a run shows nothing make one. */
function isEmpty({ plain }: Chunk): boolean {
  return plain.length === 0
}
