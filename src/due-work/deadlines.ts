import { DUE_MAX, dueDeadlines } from '../domain/index.ts'
import type { Domain, DueDeadline, LastActivity } from '../domain/index.ts'
import { stableId } from '../gate/index.ts'
import type { Gate } from '../gate/index.ts'
import { LogError, holdNow } from '../log/index.ts'
import type { EventLog, Holding, Holdings } from '../log/index.ts'
import { Pace, effectSlot } from '../thread/index.ts'
import { KnownKeys } from './known-keys.ts'

type Folded<State> = LastActivity & { readonly state: State }

export interface DeadlinesParts<State> {
  readonly gate: Gate<State>
  readonly log: Pick<EventLog, 'find'>
  readonly holdings: Pick<Holdings, 'hold'>
  readonly onFault: (error: unknown, thread: string) => void
}

/** Proposes the events of deadlines whose time has come, each key once, accepted or refused. */
export class Deadlines<State> {
  readonly #parts: DeadlinesParts<State>
  readonly #fired = new KnownKeys()

  constructor(parts: DeadlinesParts<State>) {
    this.#parts = parts
  }

  /** The earliest deadline of a thread that has not fired. */
  async next(thread: string, folded: Folded<State>): Promise<DueDeadline | undefined> {
    const { gate, log } = this.#parts
    for (const due of dueDeadlines(gate.domain, folded)) {
      const slot = effectSlot(due)
      if (this.#fired.has(thread, slot)) continue
      if (!(await log.find(thread, deadlineId(thread, due)))) return due
      this.#fired.add(thread, slot)
    }
    return undefined
  }

  /**
   * Fires the deadlines that were due at `now`, the earliest first, each on the state as it is then.
   * Returns false when some may be left.
   */
  async fire(thread: string, now: number): Promise<boolean> {
    if (!(await this.#nextPast(thread, now))) return true
    const held = await holdNow(this.#parts.holdings, thread)
    const pace = new Pace()
    try {
      for (let tries = 0; tries < DUE_MAX && !held.signal.aborted; tries++) {
        const past = await this.#nextPast(thread, now)
        if (!past) return true
        await this.#propose(thread, past, held)
        await pace.rest()
      }
      return false
    } finally {
      held.done()
    }
  }

  async #nextPast(thread: string, now: number): Promise<DueDeadline | undefined> {
    const due = await this.next(thread, await this.#parts.gate.snapshot(thread))
    return due && due.at <= now ? due : undefined
  }

  async #propose(
    thread: string,
    due: DueDeadline,
    { fence, signal }: Pick<Holding, 'fence' | 'signal'>,
  ): Promise<void> {
    const { gate, onFault } = this.#parts
    const { type, data } = due.propose
    const id = deadlineId(thread, due)
    const origin = { source: 'system', depth: 0 } as const
    try {
      await gate.commit(thread, [{ id, type, data, origin }], {
        fence,
        check: (snapshot) => {
          signal.throwIfAborted()
          if (!isStillDue(gate.domain, snapshot, due)) throw new MovedOn()
        },
      })
    } catch (error) {
      if (signal.aborted || error instanceof MovedOn) return
      if (!isFaultOfEvent(error)) throw error
      // Set aside until the next start: the deadlines behind it must not wait for it.
      onFault(error, thread)
    }
    this.#fired.add(thread, effectSlot(due))
  }
}

/** The thread went on before the deadline was committed: it is due no more, or later. */
class MovedOn extends Error {}

function isStillDue<State>(
  domain: Domain<State>,
  folded: Folded<State>,
  due: DueDeadline,
): boolean {
  return dueDeadlines(domain, folded).some(
    ({ name, key, at }) => name === due.name && key === due.key && at === due.at,
  )
}

function deadlineId(thread: string, { name, key }: DueDeadline): string {
  return stableId(thread, name, key, 'deadline')
}

/** Whether this event cannot be recorded; otherwise the log cannot record any. */
function isFaultOfEvent(error: unknown): boolean {
  if (!(error instanceof LogError)) return true
  return error.code === 'invalid_event' || error.code === 'too_large'
}
