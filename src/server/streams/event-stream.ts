import type { EventLog } from '../../log/index.ts'
import type { FrameWriter, Reading, StreamFace, Subject } from '../../faces/index.ts'
import { inBackground } from '../../platform/index.ts'
import { Channels } from './event-stream-channel.ts'
import { Pages } from './event-stream-pages.ts'
import type { Showing } from './event-stream-pages.ts'
import { StreamReader } from './event-stream-reader.ts'
import { StateFeed } from './event-stream-state.ts'
import type { Sink } from './event-stream-sink.ts'
import { ProblemError } from '../problems/problem.ts'

/** Streams that one server holds open, those of runs over AG-UI included. */
export const STREAMS_MAX = 10_000
export const HEARTBEAT_INTERVAL_MS = 10_000
/** How long a reader may leave its socket full before it is dropped; its cursor resumes it. */
export const STALL_MAX_MS = 10_000

/** Into how many rounds heartbeats are spread, and how often within its bound a stall is looked for. */
const ROUNDS = 10

/** What the positions of a thread belong to. */
export interface ThreadHistory {
  /** The log's, or another one since the person of the thread was erased. */
  readonly epoch: string
  readonly erasedAt?: number
}

export interface StreamRequest extends Subject {
  readonly face: StreamFace
  readonly reading: Reading
  readonly after: number
  /** The epoch of the log that `after` belongs to, when the reader knows it. */
  readonly epoch?: string
  /** By default the log's. */
  readonly history?: ThreadHistory
  /** Ends the stream when it fires: the reader has lost its permission. */
  readonly until: AbortSignal
}

export interface EventStreamsOptions {
  /** Told why a stream that was open broke off; its reader resumes it from its cursor. */
  readonly failed: (error: unknown, thread: string) => void
  readonly stallMaxMs?: number
  /** The interval of heartbeats of a silent stream, in milliseconds. */
  readonly heartbeatMs?: number
}

/** Where a stream begins, and the writer of what follows. */
interface Beginning {
  readonly after: number
  readonly writer: FrameWriter
}

/** Serves threads as server-sent events. */
export class EventStreams {
  readonly #log: EventLog
  readonly #failed: EventStreamsOptions['failed']
  readonly #stallMaxMs: number
  readonly #heartbeatMs: number
  readonly #channels: Channels
  readonly #pages: Pages
  /** One for each showing that has readers of the state. */
  readonly #states = new Map<string, StateFeed>()
  /** The open streams, with the thread and the round of the heartbeat of each. */
  readonly #open = new Map<StreamReader, { readonly thread: string; readonly round: number }>()
  #opening = 0
  #round = 0
  #timers: readonly NodeJS.Timeout[] = []

  constructor(log: EventLog, options: EventStreamsOptions) {
    const { failed, stallMaxMs = STALL_MAX_MS, heartbeatMs = HEARTBEAT_INTERVAL_MS } = options
    this.#log = log
    this.#failed = failed
    this.#channels = new Channels(log)
    this.#pages = new Pages(log)
    this.#stallMaxMs = stallMaxMs
    this.#heartbeatMs = heartbeatMs
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Resolves once the stream is open. It lasts until the reader goes, stalls, or the server closes, and
   * holds nothing of the request that asked for it.
   *
   * @throws {@link ProblemError} `too_many_streams`
   */
  async open(sink: Sink, request: StreamRequest): Promise<void> {
    this.#requireRoom()
    this.#opening++
    try {
      const { preamble, ...at } = await this.#begin(request)
      // A reader that left meanwhile has closed already: nothing would ever end its stream.
      if (sink.closed || request.until.aborted) return sink.end()
      if (sink.begin(preamble)) this.#follow({ ...at, sink }, request)
    } finally {
      this.#opening--
    }
  }

  /** Drops what it keeps of records that were shown, and ends the streams of a thread: its readers come again. */
  forget(thread: string): void {
    this.#pages.forget()
    for (const [reader, open] of this.#open) if (open.thread === thread) reader.end()
  }

  /** Ends every stream; readers resume elsewhere or later from their cursors. */
  close(): void {
    for (const reader of this.#open.keys()) reader.end()
  }

  #requireRoom(): void {
    const open = this.size + this.#opening
    if (open < STREAMS_MAX) return
    const detail = `Cannot open a stream: ${open} are open; try again later`
    throw new ProblemError('too_many_streams', 503, { detail })
  }

  #follow(at: Beginning & { readonly sink: Sink }, request: StreamRequest): void {
    const { until, face, thread } = request
    const reader = new StreamReader({
      ...at,
      log: this.#log,
      channels: this.#channels,
      pages: this.#pages,
      showing: this.#showingOf(request),
      heartbeat: () => face.heartbeat(thread, Date.now()),
    })
    const end = (): void => reader.end()
    at.sink.onceClosed(end)
    until.addEventListener('abort', end)
    this.#open.set(reader, { thread, round: this.#open.size % ROUNDS })
    if (this.#open.size === 1) this.#watch()
    const ended = (): void => {
      until.removeEventListener('abort', end)
      this.#dismiss(reader)
    }
    inBackground(reader.run().finally(ended), (error) => this.#failed(error, thread))
  }

  async #begin(request: StreamRequest): Promise<Beginning & { readonly preamble: string }> {
    const { thread, view, face, reading, after, epoch } = request
    const { history = { epoch: this.#log.epoch } } = request
    const place = { ...history, head: await this.#log.head(thread) }
    const opening = face.opening(place)
    const writer = reading.writer({ thread, view })
    const foreign = epoch !== undefined && epoch !== place.epoch
    if (!foreign && after <= place.head) {
      if (writer.frames !== 'run') return { after, preamble: opening, writer }
      const begun = await writer.begin()
      return { after: begun.after, preamble: opening + begun.frames, writer }
    }
    const ofOther = history.erasedAt === undefined ? 'other_epoch' : 'erased'
    const restarted = await face.restart(request, {
      reason: foreign ? ofOther : 'future',
      ...history,
    })
    return { after: restarted.after, preamble: opening + restarted.frames, writer }
  }

  #showingOf({ thread, view, face, reading }: StreamRequest): Showing {
    const records = [thread, view.key, face.name, reading.key].join('\n')
    const newWriter = () => reading.writer({ thread, view })
    if (!reading.state) return { thread, key: records, newWriter }
    const key = `${records}\nstate`
    const closed = () => this.#states.delete(key)
    const state = this.#states.get(key) ?? new StateFeed(this.#log, { thread, view }, closed)
    this.#states.set(key, state)
    return { thread, key, newWriter, state }
  }

  #watch(): void {
    this.#timers = [
      setInterval(() => this.#beat(), this.#heartbeatMs / ROUNDS),
      setInterval(() => this.#dropStalled(), this.#stallMaxMs / ROUNDS),
    ]
  }

  #dismiss(reader: StreamReader): void {
    this.#open.delete(reader)
    if (this.#open.size === 0) for (const timer of this.#timers) clearInterval(timer)
  }

  /** A tenth of the readers at a time, so that thousands of them do not hold everything up together. */
  #beat(): void {
    this.#round = (this.#round + 1) % ROUNDS
    for (const [reader, { round }] of this.#open) if (round === this.#round) reader.beat()
  }

  #dropStalled(): void {
    // Drops streams that would exceed the limit before the next round.
    const max = this.#stallMaxMs - this.#stallMaxMs / ROUNDS
    const now = performance.now()
    for (const reader of this.#open.keys()) if (reader.isStalled(now, max)) reader.end()
  }
}
