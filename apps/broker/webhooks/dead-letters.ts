import { customEvent } from 'throughline/server/extend'
import type { Cursors, Gate } from 'throughline/server/extend'
import type { EventLog } from 'throughline'
import type { BrokerState } from '../case/index.ts'
import { DeadLetterCases } from './dead-letter-cases.ts'
import { NOTED, notedId } from './outbox.ts'
import type { DeadLetter } from './outbox.ts'
import type { Outboxes } from './outboxes.ts'

/** Dead letters that one request sends again; those of its last case go beyond it. */
const RESENT_AT_ONCE_MAX = 1_000

export interface DeadLetterParts {
  readonly log: EventLog
  readonly cursors?: Cursors | undefined
  readonly gate: Gate<BrokerState>
  readonly outboxes: Outboxes
  /** Whether a receiver is configured. */
  readonly receiver: 'named' | 'none'
  /** When a case was opened; `undefined` for a thread that is no case. */
  readonly openedAt: (thread: string) => Promise<number | undefined>
}

/** A dead letter and the case that it is of. */
export interface Undelivered {
  readonly thread: string
  readonly letter: DeadLetter
}

/** A delivery that is being sent again, and its record. */
export interface Resent {
  readonly thread: string
  readonly delivery: string
  readonly seq: number
}

export interface Page<Each> {
  readonly found: readonly Each[]
  readonly next: number | undefined
}

export type ResendRefusal = 'unknown' | 'not tried to the end' | 'delivered' | 'no receiver'

const OPERATOR = { source: 'ui', surface: 'operator', depth: 0 } as const

/**
 * Lists dead letters, and sends them again for an operator: the request is a record of the case, which
 * starts the next round of attempts.
 */
export class DeadLetters {
  readonly #parts: DeadLetterParts
  readonly #cases: DeadLetterCases

  constructor(parts: DeadLetterParts) {
    this.#parts = parts
    this.#cases = new DeadLetterCases(parts)
  }

  /**
   * Lists the dead letters of the cases opened at `from` or later, the oldest case first: `limit` of them,
   * or what the last case adds. `next` is the `from` of the next page.
   */
  async list(from: number, limit: number): Promise<Page<Undelivered>> {
    const cases = await this.#cases.openedSince(from)
    // A part of the log has been read; the next request goes on with the rest.
    if (!cases) return { found: [], next: from }
    const found: Undelivered[] = []
    let lastOpenedAt = from
    for (const { thread, openedAt } of cases) {
      // Cases of one millisecond share a page: no number lies between them.
      if (found.length >= limit && openedAt > lastOpenedAt) return { found, next: openedAt }
      for (const letter of await this.#parts.outboxes.dead(thread)) found.push({ thread, letter })
      lastOpenedAt = openedAt
    }
    return { found, next: undefined }
  }

  /** Has one sent again. Asked for while it is on its way, it is the request that was made before. */
  async resend(thread: string, delivery: string): Promise<Resent | ResendRefusal> {
    const { log, outboxes, receiver } = this.#parts
    const { dead, pending } = await outboxes.read(thread)
    const letter = dead.find(({ id }) => id === delivery)
    if (letter) return receiver === 'none' ? 'no receiver' : this.#begin(thread, letter)
    const waits = pending.find(({ id }) => id === delivery)
    if (waits) {
      const { round, begun: seq } = waits
      return round === 0 ? 'not tried to the end' : { thread, delivery, seq }
    }
    const ended = await log.find(thread, notedId(thread, { id: delivery, round: 0 }, 'ended'))
    return ended ? 'delivered' : 'unknown'
  }

  /** Has all of them sent again, from a case on, as many as one request may. */
  async resendAll(from: number): Promise<Page<Resent> | ResendRefusal> {
    const { found, next } = await this.list(from, RESENT_AT_ONCE_MAX)
    if (found.length > 0 && this.#parts.receiver === 'none') return 'no receiver'
    const resent: Resent[] = []
    for (const { thread, letter } of found) resent.push(await this.#begin(thread, letter))
    return { found: resent, next }
  }

  /** Under an id that the round gives it, so that requests at the same time are one. */
  async #begin(thread: string, { id: delivery, event, round }: DeadLetter): Promise<Resent> {
    const id = notedId(thread, { id: delivery, round: round + 1 }, 'resent')
    const noted = customEvent(NOTED.resent, { delivery, event }, OPERATOR)
    const [record] = await this.#parts.gate.append(thread, [{ ...noted, id }])
    if (!record) throw new TypeError('Cannot send again: the log answered without a record')
    return { thread, delivery, seq: record.seq }
  }
}
