import { WAKE_TIMES_MAX, WakeTimes, customEvent, systemClock } from 'throughline/server/extend'
import type { Cursors, Gate } from 'throughline/server/extend'
import type { EventLog, Json } from 'throughline'
import type { BrokerState } from '../case/index.ts'
import { DeliveryLists } from './delivery-list.ts'
import type { CaseLook } from './delivery-list.ts'
import { FAULT_PAUSE_MS, FeedConsumer } from './feed-consumer.ts'
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
/** Requests that are under way at once. */
const WEBHOOKS_AT_ONCE_MAX = 8
/** Cases whose turn has come that wait for a request to end. */
const CASES_READY_MAX = 10_000

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
  readonly cursors?: Cursors | undefined
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
  readonly #consumer: FeedConsumer
  readonly #due: WakeTimes
  readonly #ready = new Set<string>()
  readonly #working = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #lease = new AbortController().signal
  #state: 'open' | 'closing' = 'open'
  #left: 'nothing' | 'cases' = 'nothing'

  constructor(parts: WebhookParts) {
    this.#parts = parts
    this.#due = new WakeTimes({ ...systemClock, now: parts.now }, (thread) => {
      this.#ready.add(thread)
      this.#pump()
    })
    this.#consumer = new FeedConsumer({
      ...parts,
      lists: new DeliveryLists(parts.cursors),
      onHeld: (lease) => this.#sendUnder(lease),
      resume: ({ thread, dueAt }) => this.#noteDue(thread, dueAt),
      look: (thread) => this.#look(thread),
    })
  }

  /** Follows the feed from where the last process stopped, and sends. */
  start(): void {
    this.#consumer.start()
  }

  /** Begins nothing more; requests under way may end within `graceMs`, then they are dropped. */
  async close(graceMs: number): Promise<void> {
    this.#state = 'closing'
    this.#forgetDue()
    const timer = setTimeout(() => this.#stopping.abort(), graceMs)
    await Promise.all(this.#working.values())
    clearTimeout(timer)
    await this.#consumer.close()
  }

  /** Another process sends once the lease is lost. */
  #sendUnder(lease: AbortSignal): void {
    this.#lease = lease
    lease.addEventListener('abort', () => this.#forgetDue(), { once: true })
  }

  #forgetDue(): void {
    this.#due.clear()
    this.#ready.clear()
  }

  async #look(thread: string): Promise<CaseLook> {
    const { outboxes, openedAt } = this.#parts
    const isCase = outboxes.isKnown(thread) || (await openedAt(thread)) !== undefined
    if (!isCase) return { dueAt: undefined, deadOpenedAt: undefined }
    try {
      const outbox = await outboxes.read(thread)
      const dueAt = this.#nextDue(outbox)
      if (dueAt !== undefined) this.#noteDue(thread, dueAt)
      const isDead = outbox.dead.length > 0
      return { dueAt, deadOpenedAt: isDead ? await openedAt(thread) : undefined }
    } catch (error) {
      this.#noteDue(thread, this.#parts.now() + FAULT_PAUSE_MS)
      throw error
    }
  }

  /** When something of a case is to be sent next, if ever. */
  #nextDue({ pending }: Outbox): number | undefined {
    const next = Math.min(...pending.map((delivery) => this.#dueAt(delivery)))
    return next < Infinity ? next : undefined
  }

  #noteDue(thread: string, at: number): void {
    if (this.#state === 'closing' || this.#lease.aborted) return
    if (at <= this.#parts.now() && this.#ready.size < CASES_READY_MAX) {
      this.#ready.add(thread)
      this.#pump()
    } else if (!this.#due.set(thread, at)) this.#left = 'cases'
  }

  #pump(): void {
    for (const thread of this.#ready) {
      if (this.#working.size >= WEBHOOKS_AT_ONCE_MAX) return
      if (this.#working.has(thread)) continue
      this.#ready.delete(thread)
      const work = this.#work(thread).finally(() => {
        this.#working.delete(thread)
        if (this.#state === 'open') this.#pump()
      })
      this.#working.set(thread, work)
    }
  }

  async #work(thread: string): Promise<void> {
    try {
      await this.#sendDue(thread)
      const next = this.#nextDue(await this.#parts.outboxes.read(thread))
      if (next !== undefined) this.#noteDue(thread, next)
      await this.#resumeLeft()
    } catch (error) {
      this.#parts.onFault(error)
      this.#noteDue(thread, this.#parts.now() + FAULT_PAUSE_MS)
    }
  }

  async #sendDue(thread: string): Promise<void> {
    const outbox = await this.#parts.outboxes.read(thread)
    const from = this.#parts.now()
    for (const delivery of outbox.pending) {
      if (this.#state === 'closing' || this.#lease.aborted) return
      if (this.#dueAt(delivery) <= from) await this.#attempt(thread, delivery, outbox)
    }
  }

  #dueAt({ attempts, since }: Delivery): number {
    const delays = this.#parts.retryDelaysMs ?? WEBHOOK_RETRY_DELAYS_MS
    return attempts === 0 ? since : since + (delays[attempts - 1] ?? 0)
  }

  async #attempt(thread: string, delivery: Delivery, { state }: Outbox): Promise<void> {
    const { url, secret, timeoutMs = WEBHOOK_TIMEOUT_MS, now, customerLink } = this.#parts
    const { id, event, facts, seq, ts } = delivery
    const attempt = delivery.attempts + 1
    const linked = event === 'customer_link_ready' ? { link: await customerLink(thread) } : {}
    const nowMs = now()
    const body = JSON.stringify({
      event,
      sessionId: thread,
      retailerName: state.case.retailerName,
      seq,
      occurredAt: new Date(ts).toISOString(),
      deliveredAt: new Date(nowMs).toISOString(),
      case: { ...facts, ...linked },
      delivery: { id, attempt },
    })
    const receiver = { url, secret, timeoutMs }
    const stop = AbortSignal.any([this.#stopping.signal, this.#lease])
    const sent = await send(receiver, body, { nowMs, stop })
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

  /** Cases that found no room wait until half of the others are gone; the saved list holds them. */
  async #resumeLeft(): Promise<void> {
    if (this.#left === 'nothing' || this.#due.size > WAKE_TIMES_MAX / 2) return
    this.#left = 'nothing'
    await this.#consumer.restart()
  }
}
