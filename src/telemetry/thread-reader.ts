import type { EventLog, LogRecord } from '../log/index.ts'
import { NewestMap } from '../thread/index.ts'
import type { SentUntil } from './sent-until.ts'
import type { SpanSender } from './span-sender.ts'
import { ThreadSpans } from './thread-spans.ts'

/** Threads of which a process knows how far it has read them; another one is read from its beginning. */
export const SPANS_THREADS_MAX = 10_000

export interface ThreadReaderParts {
  readonly log: EventLog
  readonly sent: SentUntil
  readonly sender: SpanSender
  readonly words: boolean
  readonly flush: () => Promise<unknown>
}

interface ReadThread {
  readonly spans: ThreadSpans
  after: number
}

/** Reads the threads that grow, and sends the spans of the runs that have ended. */
export class ThreadReader {
  readonly #parts: ThreadReaderParts
  readonly #threads = new NewestMap<ReadThread>(SPANS_THREADS_MAX)

  constructor(parts: ThreadReaderParts) {
    this.#parts = parts
  }

  async read(thread: string, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { sent, flush } = this.#parts
    sent.hold(thread)
    if (!this.#threads.has(thread)) {
      await sent.refresh()
      if (!(await this.#endsAfter(thread, sent.time))) return sent.release(thread)
    }
    try {
      if (await this.#sendAll(thread, signal)) await flush()
    } catch (error) {
      // What was sent may not have arrived: it is read and sent again.
      this.#threads.delete(thread)
      throw error
    }
    if (!signal.aborted) await sent.release(thread)
  }

  /** Whether the newest record of a thread is so new: one that has not moved for long is not read. */
  async #endsAfter(thread: string, time: number): Promise<boolean> {
    const { log } = this.#parts
    const head = await log.head(thread)
    for await (const records of log.read(thread, { after: head - 1, limit: 1 })) {
      return records.some(({ ts }) => ts >= time)
    }
    return false
  }

  async #sendAll(thread: string, signal: AbortSignal): Promise<boolean> {
    const { log, sent, words } = this.#parts
    const from = sent.time
    const reading = this.#threads.get(thread) ?? { spans: new ThreadSpans({ words }), after: -1 }
    this.#threads.set(thread, reading)
    let isHeld = false
    let hasSent = false
    for await (const records of log.read(thread, { after: reading.after })) {
      for (const record of records) {
        if (signal.aborted) throw signal.reason
        reading.after = record.seq
        if (!isHeld && record.ts >= from) sent.hold(thread, record.ts)
        isHeld ||= record.ts >= from
        hasSent = this.#send(reading, record, from) || hasSent
      }
    }
    return hasSent
  }

  #send({ spans }: ReadThread, record: LogRecord, from: number): boolean {
    const tree = spans.take(record)
    if (!tree || record.ts < from) return false
    this.#parts.sender.send(tree)
    return true
  }
}
