import { requireSameRequest, stableId } from '../gate/index.ts'
import { TurnQueue, withoutOpenRuns } from '../agents/index.ts'
import { nextDue, runDueEffects } from './effects.ts'
import type { Narrator } from './narrator.ts'
import { StoppableTurns } from './stoppable-turns.ts'
import type { StopRequest } from './stoppable-turns.ts'
import type { TurnResult } from './turn-result.ts'
import { Turn } from './turn.ts'
import type { TurnInput, TurnParts, TurnRequest } from './turn.ts'

/**
 * Runs turns: direct events, then the rules, then the model, then what the model proposed, then the
 * rules again and the work they start. One turn at a time in a thread; all of it between a RUN_STARTED
 * and exactly one terminal record.
 */
export class Turns<State> {
  readonly #parts: TurnParts<State>
  readonly #queue = new TurnQueue()
  readonly #stopping = new AbortController()
  readonly #stoppable = new StoppableTurns()

  constructor(parts: TurnParts<State>) {
    this.#parts = parts
  }

  /**
   * Runs one turn and resolves with what it came to once it has ended. A model call that failed is a
   * result, not an error; asked again with the same key, such a turn is told again, on what people did
   * the first time.
   *
   * @throws `TurnError` `busy`, `draining`; `GateError` `key_reused`
   */
  run(thread: string, narrator: Narrator<State>, input: TurnInput): Promise<TurnResult> {
    return this.#queue.run(thread, async () => {
      const { id, log } = this.#parts
      const run = input.key === undefined ? id() : stableId(thread, narrator.surface, input.key)
      const turn = this.#turn({ thread, narrator, input, run })
      const earlier = await log.find(thread, run)
      if (earlier && input.digest !== undefined) requireSameRequest(earlier, input.digest)
      await withoutOpenRuns(this.#parts.gate, thread)
      if (!earlier) return turn.run()
      const result = await turn.result(earlier.seq)
      if (result.status !== 'failed') return result
      return this.#turn({ thread, narrator, input, run: id(), first: run }).run()
    })
  }

  /**
   * Stops a turn's model and tells whether there was one to stop. What people did and what was said by then
   * stands, what the model proposed does not count. A turn whose model has ended goes to its end: what
   * follows from it is not given up halfway.
   */
  cancel(thread: string, request: StopRequest): boolean {
    return this.#stoppable.stop(thread, request)
  }

  /** Ends the runs that a crash left open in a thread. A turn that is at work has done so. */
  async recover(thread: string): Promise<void> {
    if (this.#queue.has(thread)) return
    await this.#queue.run(thread, () => withoutOpenRuns(this.#parts.gate, thread))
  }

  /** When open work of a thread is due: at once while a run is open or an effect is due. */
  async dueAt(thread: string): Promise<number | undefined> {
    const { gate } = this.#parts
    const { openRuns, state } = await gate.snapshot(thread)
    return openRuns.length > 0 || nextDue(gate.domain, state) ? 0 : undefined
  }

  /**
   * Takes up the work in the world that is due in a thread, with the key it had; turns wait for it.
   *
   * @throws `TurnError` `busy`, `draining`
   */
  takeUp(thread: string): Promise<void> {
    const { gate, runners } = this.#parts
    return this.#queue.run(thread, () =>
      runDueEffects(gate, thread, { runners, origin: { source: 'system', depth: 0 } }),
    )
  }

  #turn(request: TurnRequest<State>): Turn<State> {
    const { thread, run, narrator } = request
    const within = this.#stopping.signal
    return new Turn(this.#parts, request, () =>
      this.#stoppable.enter(run, { thread, surface: narrator.surface, within }),
    )
  }

  /** Takes no more turns; resolves when those that run have ended, or stops them after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(), graceMs)
    await this.#queue.drain()
    clearTimeout(timer)
  }
}
