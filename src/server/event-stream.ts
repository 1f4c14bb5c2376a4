import type { ServerResponse } from 'node:http'
import type { EventLog, LogRecord } from '../log/index.ts'
import type { ThreadFace } from './application.ts'
import type { CallerReader } from './caller-frames.ts'
import { ProblemError } from './problem.ts'
import type { Role } from './tokens.ts'

/** Streams that one server holds open. */
export const STREAMS_MAX = 10_000
export const HEARTBEAT_INTERVAL_MS = 10_000
/** How long a reader may leave its socket full before it is dropped; its cursor resumes it. */
export const STALL_MAX_MS = 10_000
/** What a browser waits before it reconnects, in milliseconds. */
export const RETRY_MS = 500

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
  /** Shows the records as the events that a caller of agents sees. */
  readonly caller?: CallerReader
}

/** Serves threads as server-sent events: a subscriber is a cursor and a socket that pulls. */
export class EventStreams {
  readonly #log: EventLog
  readonly #stallMaxMs: number
  readonly #open = new Set<() => void>()
  /** Frames encoded once per record and role, shared by everybody who reads them. */
  readonly #frames = new WeakMap<LogRecord, Map<Role, Buffer>>()

  constructor(log: EventLog, stallMaxMs = STALL_MAX_MS) {
    this.#log = log
    this.#stallMaxMs = stallMaxMs
  }

  /** Writes the stream until the reader goes, stalls, or the server closes. */
  async serve(response: ServerResponse, request: StreamRequest): Promise<void> {
    if (this.#open.size >= STREAMS_MAX) {
      throw new ProblemError('too_many_streams', 503, {
        detail: `Cannot open a stream: ${STREAMS_MAX} are open`,
      })
    }
    const { after, preamble } = await this.#begin(request)
    await request.caller?.catchUp(this.#log, after)
    // A reader that left meanwhile has closed already: nothing would ever end its subscription.
    if (response.destroyed) return
    const records = this.#log.subscribe(request.thread, { after })
    const stop = (): void => void records.return?.()
    this.#open.add(stop)
    response.on('close', stop)
    response.writeHead(200, HEADERS).write(preamble)
    const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_INTERVAL_MS)
    try {
      for await (const batch of records) {
        const frames = Buffer.concat(batch.map((record) => this.#frame(record, request)))
        if (!response.write(frames) && !(await drained(response, this.#stallMaxMs))) break
      }
    } finally {
      clearInterval(heartbeat)
      this.#open.delete(stop)
      response.end()
      response.destroy()
    }
  }

  /** Ends every stream; readers resume elsewhere or later from their cursors. */
  close(): void {
    for (const stop of this.#open) stop()
  }

  async #begin(request: StreamRequest): Promise<{ after: number; preamble: string }> {
    const { thread, face, role, after, epoch } = request
    const head = await this.#log.head(thread)
    const hello = { epoch: this.#log.epoch, head }
    const opening = `retry: ${RETRY_MS}\n${frameOf('hello', hello)}`
    const reason = resetReason({
      after,
      head,
      foreign: epoch !== undefined && epoch !== hello.epoch,
    })
    if (!reason) return { after, preamble: opening }
    const { seq, state } = await face.state(thread, role)
    const reset = frameOf('reset', { reason, ...hello, head: seq, state })
    return { after: seq, preamble: opening + reset }
  }

  #frame(record: LogRecord, { face, role, caller }: StreamRequest): Buffer {
    if (caller) return caller.framesOf(record)
    let byRole = this.#frames.get(record)
    if (!byRole) this.#frames.set(record, (byRole = new Map()))
    let frame = byRole.get(role)
    if (!frame) {
      const visible = face.record(record, role)
      const data = visible ? `data: ${JSON.stringify(visible)}\n` : ''
      byRole.set(role, (frame = Buffer.from(`id: ${record.seq}\n${data}\n`)))
    }
    return frame
  }
}

function frameOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function resetReason(cursor: {
  after: number
  head: number
  foreign: boolean
}): string | undefined {
  if (cursor.foreign) return 'other_epoch'
  return cursor.after > cursor.head ? 'future' : undefined
}

/** Resolves with whether the reader made room in time. */
function drained(response: ServerResponse, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (inTime: boolean) => (): void => {
      clearTimeout(timer)
      response.off('drain', onDrain).off('close', onClose)
      resolve(inTime)
    }
    const onDrain = settle(true)
    const onClose = settle(false)
    const timer = setTimeout(onClose, withinMs)
    response.on('drain', onDrain).on('close', onClose)
  })
}
