import type { OpenApproval, OpenRun, Wait, WaitingTurn } from '../activity/index.ts'
import { customEvent, waitingIn, waitingOf } from '../activity/index.ts'
import { DueWorkLane } from '../due-work/index.ts'
import type { Clock, DueWorkParts, EffectRunners } from '../due-work/index.ts'
import { Holdings } from '../log/index.ts'
import { assert } from '../assert/index.ts'
import type { Json } from '../json/index.ts'
import { inBackground } from '../platform/index.ts'
import { ActiveRuns } from './scope/active-runs.ts'
import { runAgain } from './turn/after-crash.ts'
import { sameName, unknownAgent } from './define/agent-error.ts'
import type { Agent } from './define/agent.ts'
import type { AgentTurn } from './turn/agent-turn.ts'
import { answersTo, inOrder, matchAnswers, passedOver } from './scope/answers.ts'
import { clientOffers, requireAnswers, requireClientRequest } from './scope/client-request.ts'
import type { ClientRequest, ClientResult, InterruptAnswer } from './scope/client-request.ts'
import { Cancels } from './turn/cancels.ts'
import type { CancelRequest } from './turn/cancels.ts'
import { hasRunsToEnd, recoverThread } from './turn/interrupted.ts'
import type { Recover } from './turn/interrupted.ts'
import type { TurnInput } from './turn/opening.ts'
import { requireSaid, saysText } from './scope/input-files.ts'
import { knownMessages } from './scope/opening-messages.ts'
import {
  OpenQuestions,
  nothingWaits,
  notWaiting,
  stillWaiting,
  takesAnswerOf,
} from './turn/open-questions.ts'
import { reachable } from './define/reachable.ts'
import { warnOfFault } from './fault-warning.ts'
import { RunScopes } from './turn/run-scopes.ts'
import type { RunScopesParts } from './turn/run-scopes.ts'
import { callerOf, decidedBy, goingOn, requireApprover } from './turn/answerer.ts'
import type { Answerer } from './turn/answerer.ts'
import { TurnQueue } from './turn/turn-queue.ts'
import type { Resumed } from './turn/turn-scope.ts'
import { TurnWork } from './turn/turn-work.ts'
import type { PreparedTurn } from './turn/turn-work.ts'
import { answeredTurnId, turnOfWire, wireTurnId } from './scope/wire-ids.ts'
import type { FoundTurn } from './scope/wire-ids.ts'

export interface RunsParts<State> extends RunScopesParts<State> {
  readonly agents: readonly Agent<State>[]
  /** The runner of each effect of the domain. */
  readonly effects?: EffectRunners<State>
  readonly clock?: Clock
  /** Learns of faults in work that no request waits for; by default they are warnings of the process. */
  readonly onFault?: DueWorkParts<State>['onFault']
  /** Shares leases with other work of this process in the same threads. */
  readonly holdings?: Holdings
  /** Throws unless its agents may work in a thread. */
  readonly admit?: (thread: string) => Promise<void>
}

export interface TurnRequest extends TurnInput, Pick<ClientRequest, 'tools' | 'context' | 'page'> {
  readonly agent: string
  /** Names this request: asked again with the same key, it is not run again. */
  readonly key?: string
}

export interface ResumeRequest extends Answerer {
  /** The run that stopped to ask, or that asked another role for an approval. */
  readonly run: string
  /**
   * The values asked for by name; by a wait's id where two waits ask for the same name, and for some of a
   * run's approvals.
   */
  readonly values: Readonly<Record<string, Json>>
  /** The surface that the answer comes by: questions put on another are not answered. Absent: on any. */
  readonly surface?: string
  readonly key?: string
}

/** A client's answers to a waiting turn, by the ids of the interrupts and calls. */
export interface AnswerRequest extends ClientRequest, Answerer {
  /** The agent that was asked; it finds the turn that waits. */
  readonly agent: string
  /** The engine ignores answers that match no open interrupt. */
  readonly answers?: readonly InterruptAnswer[]
  /** Results of the client's own tools. The engine ignores those that match no pending call. */
  readonly results?: readonly ClientResult[]
}

/** The conversation that a question belongs to. */
export type WaitingRequest = { readonly agent: string } | { readonly surface: string }

export const RESUME_SCOPE = 'resume'

/** Runs agents in threads: one turn at a time in each, everything on record. */
export class Runs<State> {
  readonly #parts: RunsParts<State>
  readonly #queue: TurnQueue
  readonly #active = new ActiveRuns()
  readonly #turns: TurnWork<State>
  readonly #cancels: Cancels<State>
  readonly #recover: Recover<State>
  readonly #lane: DueWorkLane<State>

  /**
   * @throws {@link AgentError} `invalid_agent` when an agent does not fit the domain or another,
   *   {@link DefinitionError} `missing_runner`, `invalid_runner`
   */
  constructor(parts: RunsParts<State>) {
    this.#parts = parts
    const { gate, log, clock, effects: runners = {}, onFault = warnOfFault } = parts
    const { holdings = new Holdings(log.leases) } = parts
    this.#queue = new TurnQueue(holdings)
    this.#lane = new DueWorkLane({ gate, log, runners, holdings, ...(clock && { clock }), onFault })
    const [active, queue] = [this.#active, this.#queue]
    const scopes = new RunScopes(parts, { active, lane: this.#lane })
    const agents = reachable(parts.agents)
    const begin: TurnWork<State>['begin'] = (asked, opening) => this.#turns.begin(asked, opening)
    const cut = (thread: string, runs: readonly OpenRun[]): void =>
      runAgain({ agents, begin, onFault }, thread, runs)
    this.#recover = (thread, holding) =>
      recoverThread({ gate, cut: (runs) => cut(thread, runs) }, thread, holding)
    const recover = this.#recover
    this.#cancels = new Cancels({ gate, active, queue, leases: log.leases, recover, onFault })
    const ended = (thread: string, error?: unknown): void => {
      this.#lane.catchUp(thread)
      inBackground(this.#cancels.afterTurn(thread, error))
    }
    this.#turns = new TurnWork({ ...parts, active, queue, scopes, recover, ended })
    const names = new Set<string>()
    for (const agent of agents) {
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
   * log; a turn that failed before anything came of it runs again. A repeated `wire.runId` is answered from
   * the log, however its turn ended. Calls of the client's own tools that are pending end as given up.
   *
   * Its promises reject with {@link AgentError} `unknown_agent`, `waiting_for_input`, `invalid_request`, with
   * {@link TurnError} `busy`, `draining`, {@link GateError} `key_reused`, or with what the log failed with.
   */
  start(thread: string, { key, ...request }: TurnRequest): AgentTurn<State> {
    const agent = this.#agentNamed(request.agent)
    const { surface } = agent ?? {}
    const { events, first, messages, wire, input = '' } = request
    const asked = {
      agent: request.agent,
      input,
      ...(events && { events }),
      ...(first && { first }),
      ...(messages && { messages }),
    }
    const named = key === undefined && wire ? wireTurnId(thread, wire.runId) : undefined
    const turn = { thread, surface, key, scope: surface ?? 'run', request: asked, named }
    return this.#turns.begin(turn, {
      ...request,
      prepare: ({ pauses }) => {
        if (!agent) throw unknownAgent('ask', request.agent, this.#parts.agents)
        requireClientRequest(request)
        requireSaid(agent, request)
        const waiting = waitingOf(pauses, { surface, agent: agent.name })
        if (waiting?.waits.some(({ reason }) => reason !== 'client_tool')) {
          throw stillWaiting(thread, waiting)
        }
        return {
          agent,
          caller: callerOf(request),
          typed: saysText(request),
          ...(waiting && { passedOver: waiting }),
          ...clientOffers(request),
        }
      },
    })
  }

  /**
   * Goes on with the turn that waits in an agent's conversation. Unanswered questions are asked again under
   * the same ids. The same answers again are answered from the log: they never run anything twice.
   *
   * Its promises reject also with {@link AgentError} `not_waiting` when no answer fits an open question,
   * `invalid_values`, `invalid_request`.
   */
  answer(
    thread: string,
    { agent: name, answers = [], results = [], ...request }: AnswerRequest,
  ): AgentTurn<State> {
    const agent = this.#agentNamed(name)
    const asked = { agent: name, ...inOrder({ answers, results }) }
    const named = this.#answeredTurn(thread, asked)
    const turn = { thread, key: undefined, scope: RESUME_SCOPE, request: asked, named }
    const open = new OpenQuestions()
    return this.#turns.begin(turn, {
      ...request,
      arrived: ({ pauses }) => {
        if (!agent) throw unknownAgent('ask', name, this.#parts.agents)
        open.see(pauses)
        if (open.isEmpty) throw nothingWaits(thread, name)
      },
      prepare: ({ pauses }) => {
        if (!agent) throw unknownAgent('ask', name, this.#parts.agents)
        requireClientRequest(request)
        requireSaid(agent, request)
        requireAnswers({ answers, results }, request.messages)
        const waiting = waitingOf(pauses, { surface: agent.surface, agent: name })
        if (!waiting || waiting.cancelledBy !== undefined) throw nothingWaits(thread, name)
        const matched = matchAnswers(waiting.waits, { answers, results })
        const answered = matched.answers.map(({ wait }) => wait)
        if (answered.length === 0 || !open.hold(answered)) throw nothingWaits(thread, name)
        const saysMore = (request.messages ?? []).length > 0
        const resumed = { waiting, ...(saysMore ? passedOver(matched) : matched) }
        return { ...this.#resuming(resumed, request), ...clientOffers(request) }
      },
    })
  }

  /**
   * Goes on with a turn that stopped to ask, with the values that were asked for. Only questions that are
   * open when it is called are answered.
   *
   * An approval that another role was asked for begins a turn of its own, which runs the tool and tells the
   * agent its result.
   *
   * Its promises reject also with {@link AgentError} `not_waiting`, `invalid_values`, `wrong_role`.
   */
  resume(
    thread: string,
    { run: stopped, values, surface, key, ...answerer }: ResumeRequest,
  ): AgentTurn<State> {
    const request = { run: stopped, values }
    const turn = { thread, key, scope: RESUME_SCOPE, request } as const
    const open = new OpenQuestions()
    return this.#turns.begin(turn, {
      ...answerer,
      arrived: ({ pauses }) => {
        open.see(pauses)
        if (open.isEmpty) throw notWaiting(thread, stopped)
      },
      prepare: ({ pauses }) => {
        const approvals = decidedBy(pauses, { run: stopped, values })
        if (approvals.length > 0) {
          const waits = approvals.map(({ wait }) => wait)
          if (!open.hold(waits)) throw notWaiting(thread, stopped)
          requireApprover(waits, answerer)
          return this.#deciding(approvals, { values, ...answerer })
        }
        const waiting = waitingIn(pauses, stopped)
        if (!waiting || !takesAnswerOf(waiting, surface)) throw notWaiting(thread, stopped)
        if (!open.hold(waiting.waits)) throw notWaiting(thread, stopped)
        const answers = answersTo(waiting.waits, values)
        return this.#resuming({ waiting, answers, rest: [] }, answerer)
      },
    })
  }

  /** The open questions that values would answer under a run, each with the surface that it is asked on. */
  async asked(
    thread: string,
    { run, values }: Pick<ResumeRequest, 'run' | 'values'>,
  ): Promise<readonly { readonly wait: Wait; readonly surface?: string }[]> {
    const { pauses } = await this.#parts.gate.snapshot(thread)
    const decided = decidedBy(pauses, { run, values })
    if (decided.length > 0) return decided
    const { waits = [], surface } = waitingIn(pauses, run) ?? {}
    return waits.map((wait) => ({ wait, ...(surface === undefined ? {} : { surface }) }))
  }

  /** The turn that waits for answers in an agent's conversation or on a surface, with its questions. */
  async waiting(thread: string, of: WaitingRequest): Promise<WaitingTurn | undefined> {
    const owner = 'agent' in of ? { ...of, surface: this.#agentNamed(of.agent)?.surface } : of
    const { pauses } = await this.#parts.gate.snapshot(thread)
    return waitingOf(pauses, owner)
  }

  /** The turn that a client's run id names. It is found by a record's id; the log is not searched. */
  turnOfWire(thread: string, runId: string): Promise<FoundTurn | undefined> {
    return turnOfWire(this.#parts.log, thread, runId)
  }

  /** The turn that the same answers have begun before, for a client that repeats them. */
  async turnOfAnswers(
    thread: string,
    { agent, answers = [], results = [] }: Pick<AnswerRequest, 'agent' | 'answers' | 'results'>,
  ): Promise<FoundTurn | undefined> {
    const turn = this.#answeredTurn(thread, { agent, ...inOrder({ answers, results }) })
    const found = await this.#parts.log.find(thread, turn)
    return found && { turn, seq: found.seq }
  }

  /** Returns the message ids that the thread holds. It looks them up by records' ids. */
  async knownMessages(thread: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { gate, log } = this.#parts
    const { conversation } = await gate.snapshot(thread)
    return knownMessages({ log, thread, conversation }, ids)
  }

  /**
   * Cancels a run and all below it, or the turn at work in a thread; a turn that waits for an answer ends,
   * and so do runs that a crash left open. Resolves with whether there was any.
   */
  cancel(thread: string, request: CancelRequest = {}): Promise<boolean> {
    return this.#cancels.cancel(thread, request)
  }

  /** Lets the agents of a thread forget its messages; the log keeps them. */
  async resetHistory(thread: string): Promise<void> {
    await this.#queue.run(thread, async (holding) => {
      const { pauses } = await this.#recover(thread, holding)
      const waiting = pauses.waiting.find(({ surface }) => surface === undefined)
      if (waiting) throw stillWaiting(thread, waiting)
      const forget = customEvent('history_reset', {}, { source: 'system', depth: 0 })
      await this.#parts.gate.append(thread, [forget], { fence: holding.fence })
    })
  }

  /**
   * Ends the runs that a crash left open, the deepest first. A turn that is at work has done so. Runs of
   * another process go on; this one ends them if that process dies.
   */
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
  async catchUp(thread: string): Promise<void> {
    await this.#cancels.catchUp(thread)
    this.#lane.catchUp(thread)
  }

  /** Wakes a thread at a time. */
  wakeAt(thread: string, at: number): void {
    this.#lane.wakeAt(thread, at)
  }

  /** Threads with effects and deadlines that are due or run, and those whose time is still to come. */
  readonly dueWork = (): DueWorkLane<State>['load'] => this.#lane.load

  /** Resolves once no due work runs in this process; turns are not waited for. */
  settled(): Promise<void> {
    return this.#lane.settled()
  }

  /** Accepts no more turns; resolves when those that run have ended, or aborts them after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    this.#cancels.stopWatching()
    const timer = setTimeout(() => {
      this.#active.stopAll()
      this.#parts.gate.endRetries()
    }, graceMs)
    await Promise.all([this.#queue.drain(), this.#lane.drain(graceMs)])
    clearTimeout(timer)
  }

  #answeredTurn(thread: string, answers: object): string {
    return answeredTurnId(thread, this.#parts.sha256(JSON.stringify(answers)))
  }

  #agentNamed(name: string): Agent<State> | undefined {
    return this.#parts.agents.find((agent) => agent.name === name)
  }

  #resuming(resumed: Resumed, answerer: Answerer): PreparedTurn<State> {
    const { waiting } = resumed
    return { ...this.#goingOn(waiting, waiting.waits, answerer), resumed }
  }

  #deciding(
    approvals: readonly OpenApproval[],
    { values, ...answerer }: Answerer & Pick<ResumeRequest, 'values'>,
  ): PreparedTurn<State> {
    const [first] = approvals
    assert(first, 'Cannot decide: no approval is named')
    const waits = approvals.map(({ wait }) => wait)
    return { ...this.#goingOn(first, waits, answerer), decided: answersTo(waits, values) }
  }

  #goingOn(at: Pick<WaitingTurn, 'surface' | 'agent'>, waits: readonly Wait[], answerer: Answerer) {
    const agents = reachable(this.#parts.agents)
    const agent = agents.find(({ name }) => name === at.agent)
    if (!agent) throw unknownAgent('resume', at.agent, agents)
    return { agent, ...goingOn(at, waits, answerer) }
  }
}
