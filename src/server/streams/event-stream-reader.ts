import { setImmediate as nextTurn } from 'node:timers/promises'
import { assert } from '../../assert/index.ts'
import type { EventLog } from '../../log/index.ts'
import type { Channel, Channels, LiveReader, Stretch } from './event-stream-channel.ts'
import type { FrameWriter } from '../../faces/index.ts'
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
  readonly heartbeat: () => string
}

/**
 * A cursor and a sink that pulls: it reads pages from the log as fast as the sink takes them, is fed
 * by a channel while it has seen everything, and reads on by itself when its sink was full.
 */
export class StreamReader implements LiveReader, StateSubscriber {
  readonly #parts: ReaderParts
  readonly #sink: Sink
  readonly #writer: FrameWriter
  readonly #ended = Promise.withResolvers<void>()
  #open = true
  #cursor: number
  #channel: Channel | undefined
  /** When the sink became full. */
  #fullSince: number | undefined

  constructor(parts: ReaderParts) {
    this.#parts = parts
    this.#sink = parts.sink
    this.#writer = parts.showing.newWriter()
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

  feed({ from, to, chunk }: Stretch): boolean {
    if (this.#cursor >= to) return true
    if (this.#cursor > from) {
      // The reader has read some of these records already.
      this.#channel = undefined
      this.#pull()
      return false
    }
    this.#cursor = to
    return this.take(chunk)
  }

  take(chunk: Chunk): boolean {
    if (this.#sink.write(chunk)) return true
    if (this.#channel) {
      this.#channel.dismiss(this)
      this.#channel = undefined
      this.#pullOnceDrained()
    }
    return false
  }

  end(error?: unknown): void {
    if (!this.#open) return
    this.#open = false
    this.#channel?.dismiss(this)
    this.#parts.showing.state?.dismiss(this)
    this.#sink.end()
    if (error === undefined) this.#ended.resolve()
    else this.#ended.reject(error)
  }

  /** Shows that the connection is alive, unless so much waits in it that this shows anyway. */
  beat(): void {
    if (!this.isFull) this.#sink.write(chunkOf(this.#parts.heartbeat()))
  }

  isStalled(now: number, maxMs: number): boolean {
    return this.#fullSince !== undefined && now - this.#fullSince > maxMs
  }

  #pull(): void {
    this.#readToHead().catch((error: unknown) => this.end(error))
  }

  async #readToHead(): Promise<void> {
    const { channels, showing } = this.#parts
    while (this.#open && !this.#channel) {
      const fed = channels.fed(showing)
      await this.#readPages()
      assert(
        !this.#open || this.#cursor >= fed,
        `Cannot follow "${showing.thread}": ${this.#cursor + 1} was published and is not stored`,
      )
      if (this.#open) this.#channel = channels.join(this, showing)
      if (this.#channel) showing.state?.show(this)
    }
  }

  async #readPages(): Promise<void> {
    const { log, showing, pages } = this.#parts
    const head = await log.head(showing.thread)
    while (this.#open && this.#cursor < head) {
      const page = await pages.after(showing, this.#cursor, this.#writer)
      if (!page || !this.#open) return
      this.#cursor = page.to
      await this.#flush(page.chunk)
      // The last page leads to the channel at once, or a thread that never rests would keep ahead.
      if (this.#cursor < head) await nextTurn()
    }
  }

  /** Writes a page and waits until the sink has taken it: never is more than one of them held. */
  async #flush(chunk: Chunk): Promise<void> {
    const taken = this.#sink.flush(chunk)
    if (!taken) return
    this.#fullSince = performance.now()
    await taken
    this.#fullSince = undefined
  }

  #pullOnceDrained(): void {
    this.#fullSince = performance.now()
    this.#sink.onceDrained(() => {
      this.#fullSince = undefined
      this.#pull()
    })
  }
}
