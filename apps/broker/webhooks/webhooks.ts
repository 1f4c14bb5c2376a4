import { consume } from 'throughline'
import type { Consumer, EventLog, Json } from 'throughline'
import { customEvent, systemClock } from 'throughline/server/extend'
import type { Cursors, Gate } from 'throughline/server/extend'
import type { BrokerState } from '../case/index.ts'
import { DELIVERIES, saveDeadCase } from './dead-cases.ts'
import { NOTED, notedId } from './outbox.ts'
import type { Delivery, Outbox } from './outbox.ts'
import type { Outboxes } from './outboxes.ts'
import { send } from './send.ts'
import type { Sent } from './send.ts'

/** The pauses after a failed attempt; after the last one the delivery is a dead letter. */
const WEBHOOK_RETRY_DELAYS_MS: readonly number[] = [
  1_000, 5_000, 30_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000, 86_400_000,
]
/** For one request. */
const WEBHOOK_TIMEOUT_MS = 10_000
/** The silence after which the server sends `journey_idle`, unless a setting gives another. */
export const JOURNEY_IDLE_MS = 86_400_000

/** The receiver's URL, the retry delays and the timeouts. */
export interface WebhookOptions {
  readonly url: string
  readonly secret: string
  readonly idleMs?: number
  readonly retryDelaysMs?: readonly number[]
  readonly timeoutMs?: number
  /** Gets faults that are neither the receiver's nor expected; the work is tried again. */
  readonly onFault: (error: unknown) => void
}

export interface WebhookParts extends WebhookOptions {
  readonly log: EventLog
  /** Without them each start looks at all cases. */
  readonly cursors: Cursors | undefined
  readonly gate: Gate<BrokerState>
  readonly outboxes: Outboxes
  /** When a case was opened; `undefined` for a thread that is no case. */
  readonly openedAt: (thread: string) => Promise<number | undefined>
  readonly now: () => number
  /** The link that the customer is to be sent, with its token in the fragment. */
  readonly customerLink: (thread: string) => Promise<string>
}

const SYSTEM = { source: 'system', depth: 0 } as const

/**
 * Sends what the cases' records leave to be sent, in one process at a time. Each delivery has attempts of
 * its own, so that one which a receiver does not take holds up no other; they are not told in order.
 */
export class Webhooks {
  readonly #parts: WebhookParts
  #consumer: Consumer | undefined

  constructor(parts: WebhookParts) {
    this.#parts = parts
  }

  /** Follows the feed from where the last process stopped, and sends. */
  start(): void {
    const { now, onFault } = this.#parts
    this.#consumer ??= consume(this.#parts, {
      ...DELIVERIES,
      clock: { ...systemClock, now },
      look: (thread, { signal }) => this.#look(thread, signal),
      onFault,
    })
  }

  /** Begins nothing more; requests under way may end within `graceMs`, then they are dropped. */
  async close(graceMs: number): Promise<void> {
    await this.#consumer?.close(graceMs)
  }

  /** Sends what is due in a case, and tells when something is due next. */
  async #look(
    thread: string,
    signal: AbortSignal,
  ): Promise<{ readonly dueAt?: number } | undefined> {
    const { outboxes, openedAt } = this.#parts
    const isCase = outboxes.isKnown(thread) || (await openedAt(thread)) !== undefined
    if (!isCase) return undefined
    await this.#sendDue(thread, signal)
    const outbox = await outboxes.read(thread)
    await this.#listIfDead(thread, outbox)
    return this.#nextDue(outbox)
  }

  async #listIfDead(thread: string, { dead, hadDead }: Outbox): Promise<void> {
    if (!hadDead) return
    const { cursors, openedAt } = this.#parts
    await saveDeadCase(cursors, thread, dead.length > 0 ? await openedAt(thread) : undefined)
  }

  #nextDue({ pending }: Outbox): { readonly dueAt?: number } {
    const next = Math.min(...pending.map((delivery) => this.#dueAt(delivery)))
    return next < Infinity ? { dueAt: next } : {}
  }

  async #sendDue(thread: string, signal: AbortSignal): Promise<void> {
    const outbox = await this.#parts.outboxes.read(thread)
    const from = this.#parts.now()
    for (const delivery of outbox.pending) {
      if (signal.aborted) return
      if (this.#dueAt(delivery) <= from) await this.#attempt(thread, delivery, { outbox, signal })
    }
  }

  #dueAt({ attempts, since }: Delivery): number {
    const delays = this.#parts.retryDelaysMs ?? WEBHOOK_RETRY_DELAYS_MS
    return attempts === 0 ? since : since + (delays[attempts - 1] ?? 0)
  }

  async #attempt(
    thread: string,
    delivery: Delivery,
    { outbox, signal }: { readonly outbox: Outbox; readonly signal: AbortSignal },
  ): Promise<void> {
    const { url, secret, timeoutMs = WEBHOOK_TIMEOUT_MS, now, customerLink } = this.#parts
    const { id, event, facts, seq, ts } = delivery
    const attempt = delivery.attempts + 1
    const linked = event === 'customer_link_ready' ? { link: await customerLink(thread) } : {}
    const nowMs = now()
    const body = JSON.stringify({
      event,
      sessionId: thread,
      retailerName: outbox.state.case.retailerName,
      seq,
      occurredAt: new Date(ts).toISOString(),
      deliveredAt: new Date(nowMs).toISOString(),
      case: { ...facts, ...linked },
      delivery: { id, attempt },
    })
    const receiver = { url, secret, timeoutMs }
    const sent = await send(receiver, body, { nowMs, stop: signal })
    await this.#record(thread, delivery, sent)
  }

  async #record(thread: string, delivery: Delivery, sent: Sent): Promise<void> {
    const delays = this.#parts.retryDelaysMs ?? WEBHOOK_RETRY_DELAYS_MS
    const { id, event } = delivery
    const attempt = delivery.attempts + 1
    const about = { delivery: id, event, attempt }
    switch (sent.kind) {
      case 'taken':
        return this.#note(thread, {
          id: notedId(thread, delivery, 'ended'),
          name: NOTED.delivered,
          value: { ...about, status: sent.status },
        })
      case 'failed': {
        const last = attempt > delays.length
        return this.#note(thread, {
          id: notedId(thread, delivery, last ? 'ended' : `failed ${attempt}`),
          name: last ? NOTED.deadLettered : NOTED.failed,
          value: { ...about, reason: sent.reason },
        })
      }
      case 'stopped':
    }
  }

  async #note(
    thread: string,
    { id, name, value }: { readonly id: string; readonly name: string; readonly value: Json },
  ): Promise<void> {
    await this.#parts.gate.append(thread, [{ ...customEvent(name, value, SYSTEM), id }])
  }
}
