import { CallerView, isAgentEventType, turnOf } from '../../activity/index.ts'
import type { CallerEvent } from '../../activity/index.ts'
import type { LogRecord } from '../../log/index.ts'
import type { View } from '../view.ts'
import { Replies } from './replies.ts'
import type { UiChunk } from './ui-chunk.ts'
import { UiChunks } from './ui-chunks.ts'

export interface UiThreadParts {
  readonly view: Pick<View, 'record'>
  /** Whether turns and messages of a surface, or of no surface, are shown. */
  readonly includes: (surface: string | undefined) => boolean
}

/** Chunks of one reply. */
export interface UiSaid {
  /** The id of the reply. */
  readonly reply: string
  readonly turn: string
  readonly chunks: readonly UiChunk[]
}

/** Reads the records of a thread, in their order, as chunks of its replies. */
export class UiThread {
  readonly #parts: UiThreadParts
  readonly #caller = new CallerView()
  readonly #replies = new Replies()
  /** Of replies that may go on. */
  readonly #chunks = new Map<string, UiChunks>()

  constructor(parts: UiThreadParts) {
    this.#parts = parts
  }

  /** The turn at work, if one is. */
  get turn(): string | undefined {
    return this.#replies.turn
  }

  /** The ids of the questions that are open. */
  get asked(): ReadonlySet<string> {
    const { waiting, approvals } = this.#caller
    const waits = waiting.flatMap((each) => each.waits)
    return new Set([...waits, ...approvals.map(({ wait }) => wait)].map(({ id }) => id))
  }

  /** The id of the reply that a turn belongs to. */
  replyOf(turn: string): string {
    return this.#replies.of(turn)?.id ?? turn
  }

  take(stored: LogRecord): readonly UiSaid[] {
    const isAgents = isAgentEventType(stored.type)
    if (isAgents && !this.#parts.includes(stored.origin.surface)) return []
    if (this.#replies.begin(stored)) this.#open(turnOf(stored))
    const visible = this.#parts.view.record(stored)
    const said: UiSaid[] = []
    for (const event of visible ? this.#caller.take(visible) : []) {
      const chunks = this.#said(event, stored)
      if (chunks) said.push(chunks)
    }
    this.#replies.end(stored)
    return said
  }

  #open(turn: string): void {
    const { waiting, approvals } = this.#caller
    const open = [turn, ...[...waiting, ...approvals].map((each) => each.turn)]
    const replies = new Set(open.map((each) => this.replyOf(each)))
    for (const reply of this.#chunks.keys()) if (!replies.has(reply)) this.#chunks.delete(reply)
    const reply = this.replyOf(turn)
    if (!this.#chunks.has(reply)) this.#chunks.set(reply, new UiChunks())
  }

  #said(event: CallerEvent, stored: LogRecord): UiSaid | undefined {
    const turn = this.#turnOf(event, stored)
    if (turn === undefined) return undefined
    const reply = this.replyOf(turn)
    const chunks = this.#chunks.get(reply)?.take(event) ?? []
    return chunks.length === 0 ? undefined : { reply, turn, chunks }
  }

  /** An event of the domain has no turn, and a role may see a record without its turn. */
  #turnOf(event: CallerEvent, stored: LogRecord): string | undefined {
    if (event.type === 'event' || event.type === 'event_refused') return this.turn
    return this.#replies.of(event.turn) ? event.turn : turnOf(stored)
  }
}
