import { customEvent } from 'throughline/activity'
import type { Gate } from 'throughline/gate'
import type { EventLog } from 'throughline/log'
import type { BrokerState } from '../case/index.ts'
import { NOTED, notedId } from './outbox.ts'
import type { DeadLetter } from './outbox.ts'
import type { Outboxes } from './outboxes.ts'

/** Cases that one request looks at before it says where to go on. */
const CASES_LOOKED_AT_MAX = 2_000
/** Dead letters that one request sends again; those of its last case go beyond it. */
const RESENT_AT_ONCE_MAX = 1_000

export interface DeadLetterParts {
  readonly log: EventLog
  readonly gate: Gate<BrokerState>
  readonly outboxes: Outboxes
  /** Who there is to send to. */
  readonly receiver: 'named' | 'none'
  /** Other threads stand in the same log. */
  readonly isCase: (thread: string) => Promise<boolean>
}

/** A dead letter and the case that it is of. */
export interface Undelivered {
  readonly thread: string
  readonly letter: DeadLetter
}

/** A delivery that is being sent again, and the record that says so. */
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
 * What was given up on, and how an operator has it sent again: the request is a record of the case, from
 * which the next round follows as the first one did from what it tells of.
 */
export class DeadLetters {
  readonly #parts: DeadLetterParts

  constructor(parts: DeadLetterParts) {
    this.#parts = parts
  }

  /**
   * Those of the cases from the one numbered `from` on, `limit` of them or what its last case adds; `next`
   * numbers the case to go on with.
   */
  async list(from: number, limit: number): Promise<Page<Undelivered>> {
    const threads = await this.#parts.log.threads()
    const until = Math.min(threads.length, from + CASES_LOOKED_AT_MAX)
    const found: Undelivered[] = []
    let next = from
    while (next < until && found.length < limit) {
      const thread = threads[next++] ?? ''
      for (const letter of await this.#deadIn(thread)) found.push({ thread, letter })
    }
    return { found, next: next < threads.length ? next : undefined }
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

  async #deadIn(thread: string): Promise<readonly DeadLetter[]> {
    const { isCase, outboxes } = this.#parts
    const looked = outboxes.isKnown(thread) || (await isCase(thread))
    return looked ? outboxes.dead(thread) : []
  }

  /** Under an id that the round gives it, so that who asks at the same time asks for the same. */
  async #begin(thread: string, { id: delivery, event, round }: DeadLetter): Promise<Resent> {
    const id = notedId(thread, { id: delivery, round: round + 1 }, 'resent')
    const noted = customEvent(NOTED.resent, { delivery, event }, OPERATOR)
    const [record] = await this.#parts.gate.append(thread, [{ ...noted, id }])
    if (!record) throw new TypeError('Cannot send again: the log answered without a record')
    return { thread, delivery, seq: record.seq }
  }
}
