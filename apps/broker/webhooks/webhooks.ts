import { customEvent } from 'throughline/activity'
import type { Gate } from 'throughline/gate'
import type { EventLog } from 'throughline/log'
import type { Json } from 'throughline/json'
import { stableId } from 'throughline/gate'
import type { BrokerState } from '../case/index.ts'
import { CASES_WAITING_MAX, DueTimes } from './due-times.ts'
import { NOTED, idleAt, notedId } from './outbox.ts'
import type { Delivery, Outbox } from './outbox.ts'
import type { Outboxes } from './outboxes.ts'
import { send } from './send.ts'
import type { Sent } from './send.ts'

/** The pauses after a failed attempt; after the last one the delivery is a dead letter. */
const WEBHOOK_RETRY_DELAYS_MS: readonly number[] = [
  1_000, 5_000, 30_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000, 86_400_000,
]
/** How long a receiver may take to answer. */
const WEBHOOK_TIMEOUT_MS = 10_000
/** How long a journey is without a record before it is told of as idle. */
const JOURNEY_IDLE_MS = 86_400_000
/** Requests that are under way at once. */
const WEBHOOKS_AT_ONCE_MAX = 8
/** How long records are let gather before they are read. */
const GATHER_MS = 20
/** The pause after something else than the receiver failed: the log, for one. */
const FAULT_PAUSE_MS = 60_000

/** Where to send, and how patiently. */
export interface WebhookOptions {
  readonly url: string
  readonly secret: string
  readonly idleMs?: number
  readonly retryDelaysMs?: readonly number[]
  readonly timeoutMs?: number
  /** Told of what is neither the receiver's fault nor expected; the work is tried again. */
  readonly onFault: (error: unknown) => void
}

export interface WebhookParts extends WebhookOptions {
  readonly log: EventLog
  readonly gate: Gate<BrokerState>
  readonly outboxes: Outboxes
  readonly now: () => number
  /** The link that the customer is to be sent, with its token in the fragment. */
  readonly customerLink: (thread: string) => Promise<string>
}

const SYSTEM = { source: 'system', depth: 0 } as const

/**
 * Sends what the cases' records leave to be sent. Each delivery has attempts of its own, so that one
 * which a receiver does not take holds up no other; they are not told in order.
 */
export class Webhooks {
  readonly #parts: WebhookParts
  readonly #due: DueTimes
  readonly #ready = new Set<string>()
  readonly #working = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #state: 'open' | 'closing' = 'open'
  #left: 'nothing' | 'cases' = 'nothing'

  constructor(parts: WebhookParts) {
    this.#parts = parts
    this.#due = new DueTimes(parts.now, (threads) => {
      for (const thread of threads) this.#ready.add(thread)
      this.#pump()
    })
  }

  /** Changes with each setting that changes what is due. */
  get workVersion(): string {
    return `webhooks ${this.#parts.idleMs ?? JOURNEY_IDLE_MS}`
  }

  /** Looks at a case when something is due there, and not before soon: its records gather until then. */
  wake(thread: string, dueAt = 0): void {
    this.#noteDue(thread, Math.max(dueAt, this.#parts.now() + GATHER_MS))
  }

  /** When something of a case is to be sent or noted next, if ever. */
  async dueAt(thread: string): Promise<number | undefined> {
    const outbox = await this.#parts.outboxes.read(thread)
    const idle = idleAt(outbox, this.#parts.idleMs ?? JOURNEY_IDLE_MS) ?? Infinity
    const next = Math.min(...outbox.pending.map((delivery) => this.#dueAt(delivery)), idle)
    return next < Infinity ? next : undefined
  }

  /** Begins nothing more; what is under way may end within `graceMs`, then it is let go of. */
  async close(graceMs: number): Promise<void> {
    this.#state = 'closing'
    this.#due.stop()
    this.#ready.clear()
    const timer = setTimeout(() => this.#stopping.abort(), graceMs)
    await Promise.all(this.#working.values())
    clearTimeout(timer)
  }

  #noteDue(thread: string, at: number): void {
    if (this.#state === 'open' && !this.#due.note(thread, at)) this.#left = 'cases'
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
      const next = await this.#sendDue(thread)
      if (next !== undefined) this.#noteDue(thread, next)
      await this.#takeUpLeft()
    } catch (error) {
      this.#parts.onFault(error)
      this.#noteDue(thread, this.#parts.now() + FAULT_PAUSE_MS)
    }
  }

  /** Sends what is due in a case and tells when to look again, if ever. */
  async #sendDue(thread: string): Promise<number | undefined> {
    const { now, idleMs = JOURNEY_IDLE_MS } = this.#parts
    const outbox = await this.#parts.outboxes.read(thread)
    const from = now()
    const isDue = (delivery: Delivery): boolean => this.#dueAt(delivery) <= from
    for (const delivery of outbox.pending.filter(isDue)) {
      if (this.#state === 'closing') return undefined
      await this.#attempt(thread, delivery, outbox)
    }
    const idle = idleAt(outbox, idleMs) ?? Infinity
    if (idle <= from) await this.#noteIdle(thread, outbox)
    // What was sent or noted has been recorded, and that has woken the case again.
    const ahead = outbox.pending.filter((delivery) => !isDue(delivery))
    const next = Math.min(
      ...ahead.map((delivery) => this.#dueAt(delivery)),
      idle <= from ? Infinity : idle,
    )
    return next < Infinity ? next : undefined
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
    const sent = await send(receiver, body, { nowMs, stop: this.#stopping.signal })
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

  /** A silence is noted once: the same one under the same id. */
  async #noteIdle(thread: string, { last }: Outbox): Promise<void> {
    if (!last) return
    await this.#note(thread, {
      id: stableId(thread, last.id, NOTED.idle),
      name: NOTED.idle,
      value: { since: new Date(last.ts).toISOString() },
    })
  }

  async #note(
    thread: string,
    { id, name, value }: { readonly id: string; readonly name: string; readonly value: Json },
  ): Promise<void> {
    await this.#parts.gate.append(thread, [{ ...customEvent(name, value, SYSTEM), id }])
  }

  /** Cases that found no room wait for the list to empty: the log knows them all. */
  async #takeUpLeft(): Promise<void> {
    if (this.#left === 'nothing' || this.#due.size > CASES_WAITING_MAX / 2) return
    this.#left = 'nothing'
    for (const thread of await this.#parts.log.threads()) this.wake(thread)
  }
}
