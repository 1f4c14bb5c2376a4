import type { ProgramStepRequest, ProposedEvent } from '../agents/index.ts'
import { equalJson, isJson, isJsonObject } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { REMOTE_PROPOSALS_MAX } from './limits.ts'
import { ProgramError, streamRefused } from './program-error.ts'

/** The parts of a client's request that go on to the agent, and of the agent's stream that stay as they are. */
export interface Forwarded {
  /** The client's state takes the place of the thread's, where the client has one. */
  readonly state?: boolean
  readonly forwardedProps?: boolean
  /** The client's messages in the roles `system` and `developer`, ahead of the conversation. */
  readonly systemMessages?: boolean
  /**
   * The agent gets the name of the thread as `threadId`, and its messages and calls keep their ids where the
   * thread does not hold them.
   */
  readonly ids?: boolean
  /** The agent's interrupts reach pages as they are, and any answer goes back. */
  readonly interrupts?: boolean
  /** Headers of the client's request, by name. They take the place of `headers` of the same name. */
  readonly headers?: readonly string[]
}

/**
 * Returns the events that a state leads to, for the gate to decide. `before` is the state of the domain. It is
 * called with each state that the agent sends, and with the client's where `forward.state` is set.
 */
export type StateEvents<State = unknown> = (state: Json, before: State) => readonly ProposedEvent[]

export interface StateOptions {
  readonly forward: Forwarded
  /** Reads the state of a program's run off the domain's. */
  readonly state?: ((state: unknown) => Json) | undefined
  readonly stateEvents?: StateEvents | undefined
}

/** The state with which a program's run begins, and the domain's. */
export interface BeginningState {
  readonly state: Json
  readonly domain: unknown
}

/** Takes the client's state, and has the gate decide about it where the domain holds the agent's state. */
export async function beginningState(
  request: ProgramStepRequest,
  { forward, stateEvents, state: read = () => ({}) }: StateOptions,
  isFirst: boolean,
): Promise<BeginningState> {
  const held = stateIn(read, request.state)
  const given = forward.state && isFirst ? request.page.state : undefined
  // A client that holds no state yet must not take away the thread's.
  if (given === undefined || isEmpty(given) || equalJson(given, held.state)) return held
  if (!stateEvents) return { ...held, state: given }
  const events = bounded(stateEvents(given, request.state))
  const { mayPropose = () => false } = request.page
  if (events.length === 0 || !events.every(({ type }) => mayPropose(type))) return held
  return stateIn(read, await request.propose(events, 'person'))
}

function stateIn(read: (state: unknown) => Json, domain: unknown): BeginningState {
  const state = read(domain)
  return { state: isJson(state) ? state : {}, domain }
}

function isEmpty(state: Json): boolean {
  return state === null || (isJsonObject(state) && Object.keys(state).length === 0)
}

/** Proposes events for the newest state that a program reports. */
export class StateProposals {
  readonly #request: Pick<ProgramStepRequest, 'propose' | 'signal'>
  readonly #stateEvents: StateEvents
  #domain: unknown
  #newest: { readonly state: Json } | undefined
  #refused: ProgramError | undefined

  constructor(
    request: Pick<ProgramStepRequest, 'propose' | 'signal'>,
    stateEvents: StateEvents,
    domain: unknown,
  ) {
    this.#request = request
    this.#stateEvents = stateEvents
    this.#domain = domain
  }

  /** @throws {@link ProgramError} why an earlier state was refused */
  take(state: Json): void {
    if (this.#refused) throw this.#refused
    this.#newest = { state }
  }

  /** Why a state was refused. */
  get refused(): ProgramError | undefined {
    return this.#refused
  }

  async propose(): Promise<void> {
    const { signal, propose } = this.#request
    const newest = this.#newest
    this.#newest = undefined
    // The records of a run that is cancelled are appended still, and nothing more of it is decided.
    if (!newest || signal.aborted) return
    const events = this.#eventsFor(newest.state)
    if (events.length > 0) this.#domain = await propose(events, 'program')
  }

  #eventsFor(state: Json): readonly ProposedEvent[] {
    try {
      return bounded(this.#stateEvents(state, this.#domain))
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
      // The records before it count: the run fails where its stream is read.
      this.#refused = error
      return []
    }
  }
}

function bounded(events: readonly ProposedEvent[]): readonly ProposedEvent[] {
  if (events.length <= REMOTE_PROPOSALS_MAX) return events
  throw streamRefused('too_many', `one state leads to more than ${REMOTE_PROPOSALS_MAX} events`)
}
