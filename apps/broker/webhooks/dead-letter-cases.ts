import type { Cursors } from 'throughline/server/extend'
import type { EventLog } from 'throughline'
import { savedDeadCases } from './dead-cases.ts'
import type { Outboxes } from './outboxes.ts'

/** Threads that one request looks at; the next one goes on with the rest. */
const THREADS_LOOKED_AT_MAX = 2_000

export interface DeadLetterCasesParts {
  readonly log: EventLog
  readonly cursors?: Cursors | undefined
  readonly outboxes: Outboxes
  readonly openedAt: (thread: string) => Promise<number | undefined>
}

interface OpenedCase {
  readonly thread: string
  readonly openedAt: number
}

/**
 * The cases with dead letters: the saved list, and the threads that have moved since. The process that
 * sends webhooks saves the list; without one, each request follows the feed from where the last one ended.
 */
export class DeadLetterCases {
  readonly #parts: DeadLetterCasesParts
  readonly #openedAt = new Map<string, number>()
  readonly #moved = new Set<string>()
  #savedPosition: string | undefined
  #position = ''
  #catchingUp: Promise<unknown> = Promise.resolve()

  constructor(parts: DeadLetterCasesParts) {
    this.#parts = parts
  }

  /** The cases opened at a time or later, the oldest first; `undefined` while more is to be read. */
  async openedSince(from: number): Promise<readonly OpenedCase[] | undefined> {
    const caughtUp = this.#catchingUp.then(() => this.#catchUp())
    this.#catchingUp = caughtUp.catch(ignored)
    if (!(await caughtUp)) return undefined
    return [...this.#openedAt]
      .map(([thread, openedAt]) => ({ thread, openedAt }))
      .filter(({ openedAt }) => openedAt >= from)
      .toSorted((one, other) => one.openedAt - other.openedAt)
  }

  /** Returns whether all that the log held at the call has been looked at. */
  async #catchUp(): Promise<boolean> {
    await this.#loadSaved()
    const feed = this.#parts.log.feed({ after: this.#position })
    try {
      for (let left = THREADS_LOOKED_AT_MAX; left > 0;) {
        left -= await this.#lookAtMoved(left)
        if (this.#moved.size > 0) return false
        const { value: batch = [] } = await feed.next()
        if (batch.length === 0) return true
        for (const { thread } of batch) this.#moved.add(thread)
        this.#position = batch.at(-1)?.position ?? this.#position
      }
      return false
    } finally {
      await feed.return?.()
    }
  }

  /** Begins with the saved list whenever a newer one was saved. */
  async #loadSaved(): Promise<void> {
    const { position, openedAt, unseen } = await savedDeadCases(this.#parts.cursors)
    if (position === this.#savedPosition) return
    this.#savedPosition = position
    this.#position = position
    this.#moved.clear()
    this.#openedAt.clear()
    for (const [thread, at] of openedAt) this.#openedAt.set(thread, at)
    for (const thread of unseen) this.#moved.add(thread)
  }

  async #lookAtMoved(max: number): Promise<number> {
    const some = [...this.#moved].slice(0, max)
    for (const thread of some) {
      await this.#look(thread)
      this.#moved.delete(thread)
    }
    return some.length
  }

  async #look(thread: string): Promise<void> {
    const { openedAt, outboxes } = this.#parts
    const opened = await openedAt(thread)
    const isListed = opened !== undefined && (await outboxes.dead(thread)).length > 0
    if (isListed) this.#openedAt.set(thread, opened)
    else this.#openedAt.delete(thread)
  }
}

/** The request that failed has been answered with the error. */
function ignored(): void {}
