import type { Agent } from '../define/agent.ts'
import type { Gate } from '../../gate/index.ts'
import type { EventLog, Sha256 } from '../../log/index.ts'
import { MODEL_RETRY_DELAY_MS } from '../../step/index.ts'
import type { ThreadLimits, Prices } from '../../step/index.ts'
import { offersOf } from '../scope/offers.ts'
import type { Offers } from '../scope/offers.ts'
import { runScope } from '../run/run-chain.ts'
import type { RunScope } from '../scope/scope.ts'
import { threadBudget, turnScope } from './turn-scope.ts'
import type { SharedScope, TurnScopeRequest } from './turn-scope.ts'

export interface RunScopesParts<State> {
  readonly gate: Gate<State>
  readonly log: EventLog
  readonly id: () => string
  readonly sha256: Sha256
  readonly prices?: Prices
  readonly threadLimits?: ThreadLimits
  readonly retryDelayMs?: number
}

export interface RunScopeRequest<State> extends TurnScopeRequest<State> {
  readonly agent: Agent<State>
  /** The id of the turn's run; another than the turn's own when an earlier run failed. */
  readonly run: string
  /** The surface of the resumed turn, when it is not the agent's own. */
  readonly surface?: string
}

export class RunScopes<State> {
  readonly #shared: SharedScope<State>
  readonly #threadLimits: ThreadLimits
  readonly #offers = new Map<Agent<State>, Offers<State>>()

  constructor(parts: RunScopesParts<State>, own: Pick<SharedScope<State>, 'active' | 'lane'>) {
    const { gate, log, id, sha256, prices = {}, retryDelayMs = MODEL_RETRY_DELAY_MS } = parts
    const known = { gate, log, id, sha256, prices, retryDelayMs, ...own }
    this.#shared = { ...known, offersOf: (agent) => this.offersOf(agent) }
    this.#threadLimits = parts.threadLimits ?? {}
  }

  /** @throws {@link AgentError} `invalid_agent` when the agent does not fit the domain */
  offersOf(agent: Agent<State>): Offers<State> {
    const known = this.#offers.get(agent)
    if (known) return known
    const offers = offersOf(agent, this.#shared.gate.domain)
    this.#offers.set(agent, offers)
    return offers
  }

  make({
    agent,
    run,
    surface = agent.surface,
    ...request
  }: RunScopeRequest<State>): RunScope<State> {
    const { thread, turn: turnId, signal } = request.turn
    const turn = turnScope(this.#shared, request)
    const budgeted = { thread, snapshot: request.snapshot, now: turn.gate.now }
    const { resumed } = request
    const place = {
      agent,
      origin: {
        source: 'system',
        ...(surface === undefined ? {} : { surface }),
        agent: agent.name,
        path: [agent.name],
        depth: 0,
        run,
        turn: turnId,
      },
      within: { signal, budget: threadBudget(budgeted, this.#threadLimits) },
      depthMax: Number.POSITIVE_INFINITY,
      handoffsLeft: Number.POSITIVE_INFINITY,
    } as const
    return runScope(turn, place, resumed ? turn.leftBy(resumed.waiting.run) : [])
  }
}
