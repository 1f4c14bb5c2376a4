import { knownNames } from '../agents/index.ts'
import {
  RecordRedaction,
  TracedRedaction,
  evolve,
  evolveOthers,
  initialOthers,
} from '../domain/index.ts'
import type { OtherStates } from '../domain/index.ts'
import type { FollowedState } from '../faces/index.ts'
import { freezeDeep, redactAt } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import type { App } from './define-app.ts'
import type { RoleView } from './role.ts'
import { isRedacted, viewOf } from './role-view.ts'
import type { RoleRead } from './role-view.ts'

/** A state, and the other states that trace its personal data; without them nothing of it is traced. */
export interface TracedState<State> {
  readonly state: State
  readonly others: OtherStates<State>
}

type ReadApp<State> = Pick<App<State>, 'domain' | 'agents'>

/** What a role reads of the threads of its application. Its functions throw what declared ones throw. */
export class RoleReading<State> {
  readonly #app: ReadApp<State>
  readonly #view: RoleView<State>
  /** Absent: nothing is redacted. */
  readonly #redaction: RecordRedaction<State> | undefined

  constructor(app: ReadApp<State>, read: RoleRead<State>) {
    this.#app = app
    this.#view = viewOf(read)
    if (!isRedacted(read)) return
    this.#redaction = new RecordRedaction(app.domain, knownNames(app.agents))
  }

  /** Whether it reads every record as it is stored. */
  get isUnfiltered(): boolean {
    return this.#view.record === 'all'
  }

  /** Whether its states are folded with {@link OtherStates}. */
  get isTraced(): boolean {
    return this.#redaction !== undefined && this.#app.domain.personal === undefined
  }

  /** The record as the role may see it, or undefined when it may not. */
  record(stored: LogRecord): LogRecord | undefined {
    const { record } = this.#view
    if (record === 'all') return stored
    if (record === 'redacted') return this.#redaction?.record(stored)
    return record && record(freezeDeep(stored))
  }

  /** `redact` knows the parts of earlier states of the same thread. */
  state({ state, others }: TracedState<State>, redact = new TracedRedaction()): Json {
    if (!this.#redaction) return this.#view.state(state)
    const { personal } = this.#app.domain
    // The states of a domain are what its events made, and those are JSON.
    const redacted = personal
      ? redactAt(state as Json, personal)
      : redact.of(state as Json, others as readonly Json[])
    return this.#view.state(redacted as State)
  }

  /** The state before the first record, or the given one, folded on. */
  follow({ state, others }: TracedState<State> = this.#initial): FollowedState {
    const { domain } = this.#app
    let shown: Json | undefined
    const redact = new TracedRedaction()
    const show = (): Json => (shown ??= this.state({ state, others }, redact))
    return {
      get state() {
        return show()
      },
      take: (record) => {
        const next = evolve(domain, state, record)
        const otherwise = this.isTraced ? evolveOthers(domain, others, record) : others
        // Most records change no state, and what a role sees of it may cost as much as the state is large.
        if (next !== state || otherwise !== others) shown = undefined
        state = next
        others = otherwise
      },
    }
  }

  get #initial(): TracedState<State> {
    const { domain } = this.#app
    return { state: domain.initial, others: initialOthers(domain) }
  }
}
