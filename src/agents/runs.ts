import type { Waiting } from '../activity/index.ts'
import { customEvent, mayRunAgain, waitingIn, waitingOf } from '../activity/index.ts'
import { keyReused, stableId } from '../gate/index.ts'
import type { Snapshot } from '../thread/index.ts'
import { Holdings } from '../log/index.ts'
import type { Holding, LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { ActiveRuns } from './active-runs.ts'
import type { ActiveTurn } from './active-runs.ts'
import { AgentError } from './agent-error.ts'
import type { Agent } from './agent.ts'
import { AgentTurn } from './agent-turn.ts'
import type { AgentResult } from './agent-turn.ts'
import { answersTo } from './answers.ts'
import { matchesRecordedRequest, requestDigest } from './asked-before.ts'
import type { RunRequest } from './asked-before.ts'
import { Cancels } from './cancels.ts'
import type { Clock } from '../due-work/index.ts'
import type { CancelRequest } from './cancels.ts'
import { DueWorkLane } from '../due-work/index.ts'
import type { DueWorkParts } from '../due-work/index.ts'
import type { EffectRunners } from '../due-work/index.ts'
import { withoutOpenRuns } from './interrupted.ts'
import { openTurn } from './opening.ts'
import type { TurnInput } from './opening.ts'
import { reachable } from './reachable.ts'
import { runChain } from './run-chain.ts'
import { resumeOpening } from './run-records.ts'
import { RunScopes } from './run-scopes.ts'
import type { RunScopeRequest, RunScopesParts } from './run-scopes.ts'
import { TurnOutcome } from './turn-outcome.ts'
import { TurnQueue } from './turn-queue.ts'
import { firstReferred } from './turn-scope.ts'

export interface RunsParts<State> extends RunScopesParts<State> {
  readonly agents: readonly Agent<State>[]
  /** Who does the work of each effect of the domain. */
  readonly effects?: EffectRunners<State>
  readonly clock?: Clock
  /** Learns of faults in work that no request waits for; by default they are warnings of the process. */
  readonly onFault?: DueWorkParts<State>['onFault']
  /** Shares leases with other work of this process in the same threads. */
  readonly holdings?: Holdings
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
  readonly key?: string
}

/** Runs agents in threads: one turn at a time in each, everything on record. */
export class Runs<State> {
  readonly #parts: RunsParts<State>
  readonly #queue: TurnQueue
  readonly #active = new ActiveRuns()
  readonly #scopes: RunScopes<State>
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
    this.#scopes = new RunScopes(parts, { active: this.#active, lane: this.#lane })
    const [queue, active] = [this.#queue, this.#active]
    this.#cancels = new Cancels({ gate, active, queue, id: parts.id })
    const names = new Set<string>()
    for (const agent of reachable(parts.agents)) {
      // Records name agents, and a run that is resumed finds its agent by name.
      if (names.has(agent.name)) throw sameName(agent.name)
      names.add(agent.name)
      this.#scopes.offersOf(agent)
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
    return this.#turn(turn, {
      ...request,
      prepare: ({ pauses }) => {
        if (!agent) throw unknownAgent('ask', request.agent)
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
  resume(thread: string, { run: stopped, values, key }: ResumeRequest): AgentTurn<State> {
    const request = { run: stopped, values }
    const turn = { thread, key, scope: 'resume', request } as const
    return this.#turn(turn, {
      prepare: ({ pauses }) => {
        const waiting = waitingIn(pauses, stopped)
        if (!waiting) throw notWaiting(thread, stopped)
        const agent = reachable(this.#parts.agents).find(({ name }) => name === waiting.agent)
        if (!agent) throw unknownAgent('resume', waiting.agent)
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
      await this.#parts.gate.append(thread, [forget], holding)
    })
  }

  /** Ends the runs that a crash left open, the deepest first. A turn that is at work has done so. */
  recover(thread: string): Promise<void> {
    return this.#cancels.recover(thread)
  }

  /** When open work of a thread is due: at once while a run is open, or when its lane has work. */
  async dueAt(thread: string): Promise<number | undefined> {
    const { openRuns } = await this.#parts.gate.snapshot(thread)
    return openRuns.length > 0 ? 0 : this.#lane.nextDueAt(thread)
  }

  /** Looks at a thread after a commit, in the background: effects may be due, a deadline may have come. */
  wake(thread: string): void {
    this.#lane.wake(thread)
  }

  /** Looks at a thread that another process may have changed: its runs may be cancelled, its work due. */
  async look(thread: string): Promise<void> {
    const { openRuns } = await this.#parts.gate.snapshot(thread)
    this.#cancels.obey(openRuns)
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

  #turn(asked: Asked, opening: PreparedOpening<State>): AgentTurn<State> {
    const { log, id, sha256 } = this.#parts
    const { thread, key, scope, surface, request } = asked
    const turn = key === undefined ? id() : stableId(thread, scope, key)
    const active = this.#active.register(thread, turn, surface)
    const started = Promise.withResolvers<number>()
    let refersTo: number | undefined
    const begin = {
      active,
      request,
      digest: key === undefined ? undefined : (asked.digest ?? requestDigest(request, sha256)),
      started: started.resolve,
      refersTo: (seq: number | undefined) => void (refersTo = seq),
    }
    const result = this.#queued(thread, (holding) =>
      active.workUnder(holding, () => this.#work({ ...begin, holding }, opening)),
    ).finally(() => {
      active.end()
      this.#lane.look(thread)
    })
    result.catch((error: unknown) => started.reject(error))
    return new AgentTurn({
      log,
      thread,
      run: turn,
      started: started.promise,
      result,
      refersTo: () => refersTo,
    })
  }

  async #work(begin: Begin, opening: PreparedOpening<State>): Promise<AgentResult<State>> {
    const { log, gate, id } = this.#parts
    const { thread, turn } = begin.active
    // Without a key the turn's id is fresh.
    const first = begin.digest === undefined ? undefined : await log.find(thread, turn)
    if (!first) return this.#run(begin, { ...opening, run: turn, earlier: [] })
    if (!(await matchesRecordedRequest(log, first, begin))) throw keyReused()
    await withoutOpenRuns(gate, thread, begin.holding)
    const earlier: LogRecord[] = []
    const outcome = new TurnOutcome(turn)
    for await (const records of log.read(thread, { after: first.seq - 1 })) {
      outcome.take(records)
      earlier.push(...records.filter(({ origin }) => (origin.turn ?? origin.run) === turn))
    }
    const result = outcome.result((await gate.latest(thread)).state)
    if (result.reason === 'error' && mayRunAgain(earlier)) {
      return this.#run(begin, { ...opening, run: id(), earlier })
    }
    begin.refersTo(0)
    // A turn that failed and ran again is shown from its last run on.
    const last = earlier.findLast(({ type, origin }) => type === 'RUN_STARTED' && !origin.call)
    begin.started((last ?? first).seq)
    return result
  }

  async #run(begin: Begin, opening: RunOpening<State>): Promise<AgentResult<State>> {
    const { gate } = this.#parts
    const { active, digest, holding } = begin
    const { run } = opening
    const snapshot = await withoutOpenRuns(gate, active.thread, holding)
    const prepared = opening.prepare(snapshot)
    const { resumed } = prepared
    const scope = this.#scopes.make({
      ...prepared,
      fence: holding.fence,
      run,
      turn: active,
      snapshot,
    })
    try {
      if (resumed) {
        begin.refersTo(firstReferred(snapshot, resumed.waiting))
        const [first] = await scope.turn.append(resumeOpening(scope, resumed.answers, digest))
        active.open()
        begin.started(first?.seq ?? 0)
        await runChain(scope, [])
      } else {
        const known = digest === undefined ? {} : { digest }
        const { started, clicks } = await openTurn(scope, { ...opening, ...known })
        active.open()
        begin.started(started?.seq ?? 0)
        await runChain({ ...scope, ...(clicks && { clicks }) }, [])
      }
    } finally {
      this.#active.leave(run)
    }
    return scope.turn.outcome.result((await gate.latest(active.thread)).state)
  }

  /** A turn that is refused rejects like one that fails later. */
  async #queued<Result>(
    thread: string,
    work: (holding: Holding) => Promise<Result>,
  ): Promise<Result> {
    return this.#queue.run(thread, work)
  }
}

interface Asked {
  readonly thread: string
  readonly surface?: string | undefined
  readonly key: string | undefined
  /** What a key stands for: a start and a resume may have the same one. */
  readonly scope: string
  readonly request: RunRequest
  readonly digest?: string | undefined
}

interface Begin {
  readonly active: ActiveTurn
  readonly holding: Holding
  readonly request: RunRequest
  readonly digest: string | undefined
  readonly started: (seq: number) => void
  /** Says which earlier record the turn's events refer to. */
  readonly refersTo: (seq: number | undefined) => void
}

interface PreparedOpening<State> extends TurnInput {
  /** Checks that the turn may begin, and says with whom and what. */
  readonly prepare: (
    snapshot: Snapshot<State>,
  ) => Pick<RunScopeRequest<State>, 'agent' | 'resumed' | 'typed' | 'surface'>
}

interface RunOpening<State> extends PreparedOpening<State> {
  readonly run: string
  /** Records of the same turn, when an earlier run of it failed. */
  readonly earlier: readonly LogRecord[]
}

function warn(error: unknown, thread: string): void {
  process.emitWarning(`Cannot do due work in "${thread}": ${String(error)}`)
}

function sameName(name: string): AgentError {
  return new AgentError('invalid_agent', `Cannot use two agents called "${name}": name one anew`)
}

function unknownAgent(verb: 'ask' | 'resume', name: string): AgentError {
  return new AgentError('unknown_agent', `Cannot ${verb} "${name}": no such agent`)
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
