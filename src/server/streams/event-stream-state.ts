import { isAgentEventType } from '../../activity/index.ts'
import { namedFrame, stateChange, stateFrame } from '../../faces/index.ts'
import type { ShownState, Subject } from '../../faces/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { chunkOf } from './event-stream-sink.ts'
import type { Chunk } from './event-stream-sink.ts'

/** A reader that is shown the state beside the records. */
export interface StateSubscriber {
  /** Is skipped while it is full; it gets the whole state once it is live again. */
  readonly isFull: boolean
  /** Has read to the head; a channel feeds it. */
  readonly isLive: boolean
  /** False when it can take no more. */
  take(chunk: Chunk): boolean
  end(error: unknown): void
}

/** Which state and which frame of an ended turn a reader has. */
interface Has {
  state: number | undefined
  turn: Chunk | undefined
}

/**
 * The state of a thread as one role sees it, read once for all readers of a showing. A reader that has
 * the state before the latest gets a delta, any other one the whole state.
 *
 * However much is appended, one reading of the state is under way, and no more than the latest state is
 * kept.
 */
export class StateFeed {
  readonly #log: EventLog
  readonly #subject: Subject
  readonly #closed: () => void
  readonly #readers = new Map<StateSubscriber, Has>()
  #latest: ShownState | undefined
  #whole: Chunk | undefined
  #change: { readonly base: number; readonly chunk: Chunk } | undefined
  #turn: Chunk | undefined
  /** Up to this record, whatever the latest state lacks is noted as stale. */
  #followed = -1
  /** Parts to read again; `head`: whether the thread has grown past the followed record. */
  #stale = { head: false, state: true, turn: true }
  #reading = false

  constructor(log: EventLog, subject: Subject, closed: () => void) {
    this.#log = log
    this.#subject = subject
    this.#closed = closed
  }

  /** Shows a reader the latest state: when it begins, and when it has become live. */
  show(reader: StateSubscriber): void {
    if (!this.#readers.has(reader)) this.#readers.set(reader, { state: undefined, turn: undefined })
    this.#showLatest(reader)
    // The thread may have grown while it had no live reader.
    this.#stale.head = true
    this.#refresh()
  }

  dismiss(reader: StateSubscriber): void {
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#closed()
  }

  /** Follows the records that the live readers have just got. */
  follow(records: readonly LogRecord[]): void {
    const [first] = records
    const last = records.at(-1)
    if (!first || !last) return
    const misses = first.seq > this.#followed + 1
    this.#followed = Math.max(this.#followed, last.seq)
    // Agent activity is part of no domain's state.
    if (misses || records.some(({ type }) => !isAgentEventType(type))) this.#stale.state = true
    if (misses || records.some(endsTurn)) this.#stale.turn = true
    this.#refresh()
  }

  /** Reads all that is stale and shows it to all readers. */
  #refresh(): void {
    if (this.#reading) return
    this.#reading = true
    this.#readWhileStale().catch((error: unknown) => {
      for (const reader of this.#readers.keys()) reader.end(error)
    })
  }

  async #readWhileStale(): Promise<void> {
    try {
      while (this.#readers.size > 0 && Object.values(this.#stale).includes(true)) {
        if (this.#stale.head) await this.#lookAtHead()
        if (this.#stale.state) await this.#readState()
        if (this.#stale.turn) await this.#readTurn()
        for (const reader of this.#readers.keys()) this.#showLatest(reader)
      }
    } finally {
      this.#reading = false
    }
  }

  async #lookAtHead(): Promise<void> {
    this.#stale.head = false
    const head = await this.#log.head(this.#subject.thread)
    if (head <= this.#followed) return
    this.#followed = head
    this.#stale.state = this.#stale.turn = true
  }

  async #readState(): Promise<void> {
    this.#stale.state = false
    const { thread, view } = this.#subject
    const before = this.#latest
    const after = await view.state(thread)
    this.#followed = Math.max(this.#followed, after.seq)
    const change = before && stateChange(before, after)
    if (before && change === undefined) return
    this.#latest = after
    this.#whole = undefined
    this.#change = before && change ? { base: before.seq, chunk: chunkOf(change) } : undefined
  }

  async #readTurn(): Promise<void> {
    this.#stale.turn = false
    const frame = await this.#subject.view.afterTurn?.(this.#subject.thread)
    this.#turn = frame && chunkOf(namedFrame(frame.event, frame.data))
  }

  #showLatest(reader: StateSubscriber): void {
    const has = this.#readers.get(reader)
    if (!has || !this.#latest || reader.isFull) return
    if (has.state !== this.#latest.seq) {
      const chunk = this.#leadingFrom(has.state, this.#latest)
      has.state = this.#latest.seq
      if (!reader.take(chunk)) return
    }
    // A reader gets this frame after the record that ended the turn.
    if (!reader.isLive || has.turn === this.#turn) return
    has.turn = this.#turn
    if (this.#turn) reader.take(this.#turn)
  }

  #leadingFrom(seq: number | undefined, latest: ShownState): Chunk {
    if (this.#change && this.#change.base === seq) return this.#change.chunk
    this.#whole ??= chunkOf(stateFrame(latest))
    return this.#whole
  }
}

function endsTurn({ type }: LogRecord): boolean {
  return type === 'RUN_FINISHED' || type === 'RUN_ERROR'
}
