import { decide, evolveUnfrozen, unmarked } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { equalJson } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

/** The states that the records of a thread fold into, under a definition and under the one that made them. */
export class FoldedStates {
  readonly #domain: Domain<unknown>
  readonly #base: Domain<unknown> | undefined
  #state: unknown
  #baseState: unknown
  #differs = false

  constructor(domain: Domain<unknown>, base: Domain<unknown> | undefined) {
    this.#domain = domain
    this.#base = base
    this.#state = domain.initial
    this.#baseState = base?.initial
  }

  /** Returns both states where they differ for the first time. */
  take(record: LogRecord): { readonly was: Json; readonly now: Json } | undefined {
    const [state, baseState] = [this.#state, this.#baseState]
    this.#state = evolveUnfrozen(this.#domain, state, record)
    if (!this.#base) return undefined
    this.#baseState = evolveUnfrozen(this.#base, baseState, record)
    const isSame = state === this.#state && baseState === this.#baseState
    if (isSame || this.#differs) return undefined
    // The states of a domain are what its events made, and those are JSON.
    const [was, now] = [this.#baseState as Json, this.#state as Json]
    this.#differs = !equalJson(was, now)
    return this.#differs ? { was, now } : undefined
  }

  /** Whether the base completes this data to the stored data: then it is the input of the proposal. */
  wasMadeOf(record: LogRecord, data: unknown): boolean {
    if (!this.#base) return false
    const { id, type, ts } = record
    const proposal = { id, type, data, origin: unmarked(record).origin }
    const decision = decide(this.#base, this.#baseState, { proposal, now: ts, typed: true })
    return 'accepted' in decision && equalJson(decision.accepted.data, record.data)
  }
}
