import type { ServerResponse } from 'node:http'
import type { EventLog } from '../log/index.ts'
import type { ThreadFace } from './application.ts'
import type { CallerReader } from './caller-frames.ts'
import { Channels } from './event-stream-channel.ts'
import { namedFrame, recordFrames } from './event-stream-frames.ts'
import { Pages } from './event-stream-pages.ts'
import type { Showing } from './event-stream-pages.ts'
import { StreamReader } from './event-stream-reader.ts'
import { ProblemError } from './problem.ts'
import type { Role } from './tokens.ts'

/** Streams that one server holds open. */
export const STREAMS_MAX = 10_000
export const HEARTBEAT_INTERVAL_MS = 10_000
/** How long a reader may leave its socket full before it is dropped; its cursor resumes it. */
export const STALL_MAX_MS = 10_000
/** What a browser waits before it reconnects, in milliseconds. */
export const RETRY_MS = 500

/** Into how many rounds heartbeats are spread, and how often within its bound a stall is looked for. */
const ROUNDS = 10

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

export interface StreamRequest {
  readonly thread: string
  readonly face: ThreadFace
  readonly role: Role
  readonly after: number
  /** The epoch of the log that `after` belongs to, when the reader knows it. */
  readonly epoch?: string
  /** Ends the stream when it fires: the reader may no longer see what it was let in for. */
  readonly until: AbortSignal
  /** Shows the records as the events that a caller of agents sees. */
  readonly caller?: CallerReader
}

/** Serves threads as server-sent events. */
export class EventStreams {
  readonly #log: EventLog
  readonly #stallMaxMs: number
  readonly #channels: Channels
  readonly #pages: Pages
  /** Those that are open, and the round in which each one's heart beats. */
  readonly #open = new Map<StreamReader, number>()
  #count = 0
  #round = 0
  #timers: readonly NodeJS.Timeout[] = []

  constructor(log: EventLog, stallMaxMs = STALL_MAX_MS) {
    this.#log = log
    this.#channels = new Channels(log)
    this.#pages = new Pages(log)
    this.#stallMaxMs = stallMaxMs
  }

  /** Writes the stream until the reader goes, stalls, or the server closes. */
  async serve(response: ServerResponse, request: StreamRequest): Promise<void> {
    if (this.#count >= STREAMS_MAX) throw tooMany(`${STREAMS_MAX} are open`)
    if (!response.socket) throw tooMany('an answer before it on this connection has not ended')
    this.#count++
    try {
      await this.#run(response, response.socket, request)
    } finally {
      this.#count--
    }
  }

  /** Ends every stream; readers resume elsewhere or later from their cursors. */
  close(): void {
    for (const reader of this.#open.keys()) reader.end()
  }

  async #run(
    response: ServerResponse,
    socket: NonNullable<ServerResponse['socket']>,
    request: StreamRequest,
  ): Promise<void> {
    const { until } = request
    const { after, preamble } = await this.#begin(request)
    // A reader that left meanwhile has closed already: nothing would ever end its stream.
    if (response.destroyed || until.aborted) return void response.destroy()
    response.writeHead(200, HEADERS)
    // Frames go past the response, which would have kept a body from whoever asked for none.
    if (response.req.method === 'HEAD') return void response.end()
    response.write(preamble)
    const showing = showingOf(request)
    const [log, channels, pages] = [this.#log, this.#channels, this.#pages]
    const reader = new StreamReader({ log, channels, pages, showing, response, socket, after })
    const end = (): void => reader.end()
    response.on('close', end)
    until.addEventListener('abort', end)
    this.#admit(reader)
    try {
      await reader.run()
    } finally {
      until.removeEventListener('abort', end)
      this.#dismiss(reader)
    }
  }

  async #begin(request: StreamRequest): Promise<{ after: number; preamble: string }> {
    const { thread, face, role, after, epoch } = request
    const head = await this.#log.head(thread)
    const hello = { epoch: this.#log.epoch, head }
    const opening = `retry: ${RETRY_MS}\n${namedFrame('hello', hello)}`
    const reason = resetReason({
      after,
      head,
      foreign: epoch !== undefined && epoch !== hello.epoch,
    })
    if (!reason) return { after, preamble: opening }
    const { seq, state } = await face.state(thread, role)
    const reset = namedFrame('reset', { reason, ...hello, head: seq, state })
    return { after: seq, preamble: opening + reset }
  }

  #admit(reader: StreamReader): void {
    this.#open.set(reader, this.#count % ROUNDS)
    if (this.#open.size > 1) return
    this.#timers = [
      setInterval(() => this.#beat(), HEARTBEAT_INTERVAL_MS / ROUNDS),
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
    for (const [reader, round] of this.#open) if (round === this.#round) reader.beat()
  }

  #dropStalled(): void {
    // Those are dropped that would have stalled for too long before the next look.
    const max = this.#stallMaxMs - this.#stallMaxMs / ROUNDS
    const now = performance.now()
    for (const reader of this.#open.keys()) if (reader.isStalled(now, max)) reader.end()
  }
}

function showingOf({ thread, face, role, caller }: StreamRequest): Showing {
  const key = `${thread}\n${role}\n`
  if (caller) {
    const newWriter = () => caller.afresh()
    return { thread, key: key + caller.depthMax, newWriter, frames: 'folded' }
  }
  const frames = face.whole?.includes(role) ? 'stored' : 'written'
  return { thread, key, newWriter: () => recordFrames(face, role), frames }
}

function tooMany(state: string): ProblemError {
  return new ProblemError('too_many_streams', 503, { detail: `Cannot open a stream: ${state}` })
}

function resetReason(cursor: {
  after: number
  head: number
  foreign: boolean
}): string | undefined {
  if (cursor.foreign) return 'other_epoch'
  return cursor.after > cursor.head ? 'future' : undefined
}
