import { DUE_MAX, dueDeadlines, isStillDue } from '../domain/index.ts'
import type { DueDeadline, LastActivity } from '../domain/index.ts'
import { stableId } from '../gate/index.ts'
import type { Gate } from '../gate/index.ts'
import { LogError, holdNow } from '../log/index.ts'
import type { EventLog, Holding, Holdings } from '../log/index.ts'
import { Pace, dueWorkKey } from '../thread/index.ts'
import type { Snapshot } from '../thread/index.ts'
import { KnownKeys } from './known-keys.ts'

/** A holding of a thread, as far as work under it needs it. */
export type Held = Pick<Holding, 'fence' | 'signal'>

type Folded<State> = LastActivity & Pick<Snapshot<State>, 'state' | 'isErased'>

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

  async next(thread: string, folded: Folded<State>): Promise<DueDeadline | undefined> {
    for (const due of this.#dueIn(folded)) {
      if (!(await this.#hasFired(thread, due))) return due
    }
    return undefined
  }

  /**
   * Fires the deadlines that were due at `now`, the earliest first, each on the state as it is then; those
   * that become due by it come behind them. Returns false when some may be left.
   */
  async fire(thread: string, now: number): Promise<boolean> {
    const first = await this.next(thread, await this.#parts.gate.snapshot(thread))
    if (!first || first.at > now) return true
    const held = await holdNow(this.#parts.holdings, thread)
    try {
      let tries = 0
      while (tries < DUE_MAX && !held.signal.aborted) {
        const past = await this.#past(thread, now)
        if (past.length === 0) return true
        await this.#proposeAll(thread, past, held)
        tries += past.length
      }
      return false
    } finally {
      held.done()
    }
  }

  /** Listed once for all of them: a list for each would cost the square of their number. */
  async #past(thread: string, now: number): Promise<readonly DueDeadline[]> {
    const past: DueDeadline[] = []
    for (const due of this.#dueIn(await this.#parts.gate.snapshot(thread))) {
      if (due.at > now) break
      if (!(await this.#hasFired(thread, due))) past.push(due)
    }
    return past
  }

  #dueIn(folded: Folded<State>): readonly DueDeadline[] {
    return folded.isErased ? [] : dueDeadlines(this.#parts.gate.domain, folded)
  }

  async #hasFired(thread: string, due: DueDeadline): Promise<boolean> {
    const slot = dueWorkKey(due)
    if (this.#fired.has(thread, slot)) return true
    if (!(await this.#parts.log.find(thread, deadlineId(thread, due)))) return false
    this.#fired.add(thread, slot)
    return true
  }

  async #proposeAll(thread: string, past: readonly DueDeadline[], held: Held): Promise<void> {
    const pace = new Pace()
    for (const due of past) {
      if (held.signal.aborted) return
      await this.#propose(thread, due, held)
      await pace.rest()
    }
  }

  async #propose(thread: string, due: DueDeadline, { fence, signal }: Held): Promise<void> {
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
    this.#fired.add(thread, dueWorkKey(due))
  }
}

/** The thread went on before the deadline was committed: it is due no more, or later. */
class MovedOn extends Error {}

function deadlineId(thread: string, { name, key }: DueDeadline): string {
  return stableId(thread, name, key, 'deadline')
}

/** Whether this event cannot be recorded; otherwise the log cannot record any. */
function isFaultOfEvent(error: unknown): boolean {
  if (!(error instanceof LogError)) return true
  return error.code === 'invalid_event' || error.code === 'too_large'
}
