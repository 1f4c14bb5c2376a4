import type { Waiting } from '../activity/index.ts'
import { customEvent, waitingIn, waitingOf } from '../activity/index.ts'
import { DueWorkLane } from '../due-work/index.ts'
import type { Clock, DueWorkParts, EffectRunners } from '../due-work/index.ts'
import { Holdings } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { emitWarning } from '../platform/index.ts'
import { ActiveRuns } from './active-runs.ts'
import { AgentError } from './agent-error.ts'
import type { Agent } from './agent.ts'
import type { AgentTurn } from './agent-turn.ts'
import { answersTo } from './answers.ts'
import { Cancels } from './cancels.ts'
import type { CancelRequest } from './cancels.ts'
import { hasRunsToEnd, withoutOpenRuns } from './interrupted.ts'
import type { TurnInput } from './opening.ts'
import { reachable } from './reachable.ts'
import { RunScopes } from './run-scopes.ts'
import type { RunScopesParts } from './run-scopes.ts'
import { TurnQueue } from './turn-queue.ts'
import { TurnWork } from './turn-work.ts'

export interface RunsParts<State> extends RunScopesParts<State> {
  readonly agents: readonly Agent<State>[]
  /** Who does the work of each effect of the domain. */
  readonly effects?: EffectRunners<State>
  readonly clock?: Clock
  /** Learns of faults in work that no request waits for; by default they are warnings of the process. */
  readonly onFault?: DueWorkParts<State>['onFault']
  /** Shares leases with other work of this process in the same threads. */
  readonly holdings?: Holdings
  /** Throws unless its agents may work in a thread. */
  readonly admit?: (thread: string) => Promise<void>
}

export interface TurnRequest extends TurnInput {
  readonly agent: string
  /** Names this request: asked again with the same key, it is not run again. */
  readonly key?: string
  /** Of the whole request, where that holds more than is given here. */
  readonly digest?: string
}

export interface ResumeRequest {
  /** The run that stopped to ask. */
  readonly run: string
  /** The values asked for by name; by a wait's id where two waits ask for the same name. */
  readonly values: Readonly<Record<string, Json>>
  /** Who answers, as an opaque id: it goes on record with the answers. */
  readonly actor?: string
  readonly key?: string
}

/** Runs agents in threads: one turn at a time in each, everything on record. */
export class Runs<State> {
  readonly #parts: RunsParts<State>
  readonly #queue: TurnQueue
  readonly #active = new ActiveRuns()
  readonly #turns: TurnWork<State>
  readonly #cancels: Cancels<State>
  readonly #lane: DueWorkLane<State>

  /**
   * @throws {@link AgentError} `invalid_agent` when an agent does not fit the domain or another,
   *   {@link DefinitionError} `missing_runner`, `invalid_runner`
   */
  constructor(parts: RunsParts<State>) {
    this.#parts = parts
    const { gate, log, clock, effects: runners = {}, onFault = warn } = parts
    const { holdings = new Holdings(log.leases) } = parts
    this.#queue = new TurnQueue(holdings)
    this.#lane = new DueWorkLane({
      gate,
      log,
      runners,
      holdings,
      ...(clock && { clock }),
      onFault,
    })
    const [active, queue] = [this.#active, this.#queue]
    const scopes = new RunScopes(parts, { active, lane: this.#lane })
    this.#cancels = new Cancels({ gate, active, queue })
    const ended = (thread: string): void => this.#ended(thread)
    this.#turns = new TurnWork({ ...parts, active, queue, scopes, ended })
    const names = new Set<string>()
    for (const agent of reachable(parts.agents)) {
      // Records name agents, and a run that is resumed finds its agent by name.
      if (names.has(agent.name)) throw sameName(agent.name)
      names.add(agent.name)
      scopes.offersOf(agent)
    }
  }

  /** The agents that may be asked. */
  get agents(): readonly Agent<State>[] {
    return this.#parts.agents
  }

  /**
   * Asks an agent. The turn waits for those before it in its thread. A repeated key is answered from the
   * log; a turn that failed before anything came of it runs again.
   *
   * Its promises reject with {@link AgentError} `unknown_agent`, `waiting_for_input`, with
   * {@link TurnError} `busy`, `draining`, {@link GateError} `key_reused`, or with what the log failed with.
   */
  start(thread: string, { key, digest, ...request }: TurnRequest): AgentTurn<State> {
    const agent = this.#parts.agents.find(({ name }) => name === request.agent)
    const { surface } = agent ?? {}
    const { events, first } = request
    const asked = {
      agent: request.agent,
      input: request.input ?? '',
      ...(events && { events }),
      ...(first && { first }),
    }
    const turn = { thread, surface, key, scope: surface ?? 'run', request: asked, digest }
    return this.#turns.begin(turn, {
      ...request,
      prepare: ({ pauses }) => {
        if (!agent) throw unknownAgent('ask', request.agent, this.#parts.agents)
        const waiting = waitingOf(pauses, { surface, agent: agent.name })
        if (waiting) throw stillWaiting(thread, waiting)
        const typed = (request.input ?? '').trim() !== ''
        return { agent, typed }
      },
    })
  }

  /**
   * Goes on with a turn that stopped to ask, with the values that were asked for.
   *
   * Its promises reject also with {@link AgentError} `not_waiting`, `invalid_values`.
   */
  resume(thread: string, { run: stopped, values, actor, key }: ResumeRequest): AgentTurn<State> {
    const request = { run: stopped, values }
    const turn = { thread, key, scope: 'resume', request } as const
    return this.#turns.begin(turn, {
      ...(actor === undefined ? {} : { actor }),
      prepare: ({ pauses }) => {
        const waiting = waitingIn(pauses, stopped)
        if (!waiting || waiting.cancelledBy !== undefined) throw notWaiting(thread, stopped)
        const agents = reachable(this.#parts.agents)
        const agent = agents.find(({ name }) => name === waiting.agent)
        if (!agent) throw unknownAgent('resume', waiting.agent, agents)
        const answers = answersTo(waiting.waits, values)
        // After a hand-off the surface is that of the turn, not of the agent.
        const { surface } = waiting
        const resumed = { waiting, answers }
        return { agent, resumed, typed: true, ...(surface === undefined ? {} : { surface }) }
      },
    })
  }

  /**
   * Cancels a run and all below it, or the turn at work in a thread; a turn that waits for an answer ends,
   * and so do runs that a crash left open. Resolves with whether there was any.
   */
  cancel(thread: string, request: CancelRequest = {}): Promise<boolean> {
    return this.#cancels.cancel(thread, request)
  }

  /** Lets the agents of a thread forget what was said; the log keeps it. */
  async resetHistory(thread: string): Promise<void> {
    await this.#queue.run(thread, async (holding) => {
      const { pauses } = await withoutOpenRuns(this.#parts.gate, thread, holding)
      const waiting = pauses.waiting.find(({ surface }) => surface === undefined)
      if (waiting) throw stillWaiting(thread, waiting)
      const forget = customEvent('history_reset', {}, { source: 'system', depth: 0 })
      await this.#parts.gate.append(thread, [forget], { fence: holding.fence })
    })
  }

  /** Ends the runs that a crash left open, the deepest first. A turn that is at work has done so. */
  recover(thread: string): Promise<void> {
    return this.#cancels.recover(thread)
  }

  /** When open work of a thread is due: at once while a run is open, or when its lane has work. */
  async dueAt(thread: string): Promise<number | undefined> {
    const snapshot = await this.#parts.gate.snapshot(thread)
    return hasRunsToEnd(snapshot) ? 0 : this.#lane.nextDueAt(thread)
  }

  /** Looks at a thread after a commit, in the background: effects may be due, a deadline may have come. */
  wake(thread: string): void {
    this.#lane.wake(thread)
  }

  /** Looks at a thread that another process may have changed: its runs may be cancelled, its work due. */
  async look(thread: string): Promise<void> {
    await this.#cancels.obey(thread, await this.#parts.gate.snapshot(thread))
    this.#lane.look(thread)
  }

  /** Wakes a thread at a time. */
  wakeAt(thread: string, at: number): void {
    this.#lane.wakeAt(thread, at)
  }

  /** Accepts no more turns; resolves when those that run have ended, or aborts them after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#active.stopAll(), graceMs)
    await Promise.all([this.#queue.drain(), this.#lane.drain(graceMs)])
    clearTimeout(timer)
  }

  #ended(thread: string): void {
    this.#lane.look(thread)
    void this.#endCancelled(thread)
  }

  /** Ends questions that were cancelled while a turn was at work. */
  async #endCancelled(thread: string): Promise<void> {
    const { gate, onFault = warn } = this.#parts
    try {
      await this.#cancels.obey(thread, await gate.latest(thread))
    } catch (error) {
      onFault(error, thread)
    }
  }
}

function warn(error: unknown, thread: string): void {
  emitWarning(`Cannot do work in the background in "${thread}": ${String(error)}`)
}

function sameName(name: string): AgentError {
  return new AgentError('invalid_agent', `Cannot use two agents called "${name}": name one anew`)
}

function unknownAgent(
  verb: 'ask' | 'resume',
  name: string,
  agents: readonly { readonly name: string }[],
): AgentError {
  const known = agents.map((agent) => `"${agent.name}"`).join(', ') || 'none'
  return new AgentError('unknown_agent', `Cannot ${verb} "${name}": the agents are ${known}`)
}

function stillWaiting(thread: string, { run, waits }: Waiting): AgentError {
  const keys = waits.flatMap(({ requestKeys }) => Object.keys(requestKeys)).join(', ')
  return new AgentError(
    'waiting_for_input',
    `Cannot start a turn in "${thread}": run ${run} waits for ${keys}; resume or cancel it`,
  )
}

function notWaiting(thread: string, run: string): AgentError {
  return new AgentError(
    'not_waiting',
    `Cannot resume run ${run} in "${thread}": it waits for nothing`,
  )
}
