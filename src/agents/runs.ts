import { AgentError } from './agent-error.ts'
import type { Agent } from './agent.ts'
import { customEvent, endsRun } from '../activity/index.ts'
import type { Waiting } from '../activity/index.ts'
import { keyReused, stableId } from '../gate/index.ts'
import type { NewEvent } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { ActiveRuns } from './active-runs.ts'
import type { ActiveTurn } from './active-runs.ts'
import { AgentTurn } from './agent-turn.ts'
import type { AgentResult } from './agent-turn.ts'
import { answersTo } from './answers.ts'
import { requestDigest, wasAskedFor, withDigest } from './asked-before.ts'
import type { RunRequest } from './asked-before.ts'
import { withoutOpenRuns } from './interrupted.ts'
import { reachable } from './reachable.ts'
import { runChain } from './run-chain.ts'
import { cancelledOpening, resumeOpening, turnOpening } from './run-records.ts'
import { RunScopes } from './run-scopes.ts'
import type { RunScopesParts } from './run-scopes.ts'
import type { RunScope } from './scope.ts'
import { TurnOutcome } from './turn-outcome.ts'
import { TurnQueue } from './turn-queue.ts'
import { firstReferred } from './turn-scope.ts'

export interface RunsParts<State> extends RunScopesParts<State> {
  readonly agents: readonly Agent<State>[]
}

export interface StartRequest {
  readonly agent: string
  readonly input: string
  /** Names this request: asked again with the same key, it is not run again. */
  readonly key?: string
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
  readonly #queue = new TurnQueue()
  readonly #active = new ActiveRuns()
  readonly #scopes: RunScopes<State>

  /** @throws {@link AgentError} `invalid_agent` when an agent does not fit the domain or another */
  constructor(parts: RunsParts<State>) {
    this.#parts = parts
    this.#scopes = new RunScopes(parts, this.#active)
    const names = new Set<string>()
    for (const agent of reachable(parts.agents)) {
      // Records name agents, and whoever takes up a run finds it by its name.
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
   * Asks an agent. The turn waits for those before it in its thread.
   *
   * Its promises reject with {@link AgentError} `unknown_agent`, `waiting_for_input`, with
   * {@link TurnError} `busy`, `draining`, {@link GateError} `key_reused`, or with what the log failed with.
   */
  start(thread: string, { agent: name, input, key }: StartRequest): AgentTurn<State> {
    const request = { agent: name, input }
    return this.#turn({ thread, key, does: 'run', request }, async (begin) => {
      const agent = this.#parts.agents.find((each) => each.name === name)
      if (!agent) throw new AgentError('unknown_agent', `Cannot ask "${name}": no such agent`)
      const snapshot = await withoutOpenRuns(this.#parts.gate, thread)
      const { waiting } = snapshot.pauses
      if (waiting) throw stillWaiting(thread, waiting)
      const scope = this.#scopes.make({ turn: begin.active, agent, snapshot, answers: [] })
      return { scope, opening: turnOpening(scope, input) }
    })
  }

  /**
   * Takes a turn up where it stopped to ask, with the values that were asked for.
   *
   * Its promises reject also with {@link AgentError} `not_waiting`, `invalid_values`.
   */
  resume(thread: string, { run: stopped, values, key }: ResumeRequest): AgentTurn<State> {
    return this.#turn(
      { thread, key, does: 'resume', request: { run: stopped, values } },
      async (begin) => {
        const snapshot = await withoutOpenRuns(this.#parts.gate, thread)
        const { waiting } = snapshot.pauses
        if (waiting?.run !== stopped && waiting?.turn !== stopped) throw notWaiting(thread, stopped)
        const agent = reachable(this.#parts.agents).find(({ name }) => name === waiting.agent)
        if (!agent)
          throw new AgentError('unknown_agent', `Cannot resume "${waiting.agent}": no such agent`)
        const answers = answersTo(waiting.waits, values)
        const scope = this.#scopes.make({
          turn: begin.active,
          agent,
          snapshot,
          answers,
          resumes: waiting.run,
        })
        begin.refersTo(firstReferred(snapshot))
        return { scope, opening: resumeOpening(scope, answers) }
      },
    )
  }

  /**
   * Stops a run and all below it, or the turn that is at work in a thread; a turn that waits for an
   * answer is given up, and what a crash left open is ended. Resolves with whether there was any.
   */
  async cancel(thread: string, run?: string): Promise<boolean> {
    if (this.#active.stopTurn(thread, run)) return true
    const { openRuns, pauses } = await this.#parts.gate.snapshot(thread)
    const open = openRuns.some(({ runId }) => run === undefined || runId === run)
    if (open && run !== undefined && this.#active.stop(run)) return true
    const { waiting } = pauses
    if (waiting && (run === undefined || [waiting.run, waiting.turn].includes(run))) {
      return this.#giveUp(thread, waiting)
    }
    if (!open || this.#active.isWorking(thread)) return false
    await this.recover(thread)
    return true
  }

  /** Lets the agents of a thread forget what was said; the log keeps it. */
  async resetHistory(thread: string): Promise<void> {
    await this.#queue.run(thread, async () => {
      const { pauses } = await withoutOpenRuns(this.#parts.gate, thread)
      if (pauses.waiting) throw stillWaiting(thread, pauses.waiting)
      const forget = customEvent('history_reset', {}, { source: 'system', depth: 0 })
      await this.#parts.gate.append(thread, [forget])
    })
  }

  /** Ends the runs that a crash left open, the deepest first. A turn that is at work has done so. */
  async recover(thread: string): Promise<void> {
    if (this.#queue.has(thread)) return
    await this.#queue.run(thread, () => withoutOpenRuns(this.#parts.gate, thread))
  }

  /** When open work of a thread is due: at once while a run is open. */
  async dueAt(thread: string): Promise<number | undefined> {
    if (!(await this.#mayBeOpen(thread))) return undefined
    const { openRuns } = await this.#parts.gate.snapshot(thread)
    return openRuns.length > 0 ? 0 : undefined
  }

  /** Takes no more turns; resolves when those that run have ended, or stops them after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#active.stopAll(), graceMs)
    await this.#queue.drain()
    clearTimeout(timer)
  }

  #turn(
    { thread, key, does, request }: TurnRequest,
    prepare: (begin: Begin) => Promise<Prepared<State>>,
  ): AgentTurn<State> {
    const { log, id, sha256 } = this.#parts
    const run = key === undefined ? id() : stableId(thread, does, key)
    const active = this.#active.takeOn(thread, run)
    const started = Promise.withResolvers<number>()
    let refersTo: number | undefined
    const begin = {
      active,
      request,
      digest: key === undefined ? undefined : requestDigest(request, sha256),
      refersTo: (seq: number | undefined) => void (refersTo = seq),
    }
    const result = this.#queued(thread, () => this.#work(begin, prepare, started.resolve)).finally(
      () => active.end(),
    )
    result.catch((error: unknown) => started.reject(error))
    return new AgentTurn({
      log,
      thread,
      run,
      started: started.promise,
      result,
      refersTo: () => refersTo,
    })
  }

  async #work(
    begin: Begin,
    prepare: (begin: Begin) => Promise<Prepared<State>>,
    started: (seq: number) => void,
  ): Promise<AgentResult<State>> {
    const { log, gate } = this.#parts
    const { thread, run } = begin.active
    begin.active.begin()
    const earlier = await log.find(thread, run)
    if (earlier) {
      const { request, digest = '' } = begin
      if (!(await wasAskedFor(log, earlier, { request, digest }))) throw keyReused()
      // Asked before, perhaps of a process that died of it: it is answered, not run again.
      await withoutOpenRuns(gate, thread)
      begin.refersTo(0)
      started(earlier.seq)
      const outcome = new TurnOutcome(run)
      for await (const records of log.read(thread, { after: earlier.seq - 1 })) {
        outcome.take(records)
      }
      return outcome.result((await gate.latest(thread)).state)
    }
    const { scope, opening } = await prepare(begin)
    // Durable before anything is done about it.
    const [first] = await scope.turn.append(
      begin.digest === undefined ? opening : withDigest(opening, begin.digest),
    )
    started(first?.seq ?? 0)
    await runChain(scope, [])
    return scope.turn.outcome.result((await gate.latest(thread)).state)
  }

  /** A turn that is not taken on says so like one that fails later. */
  async #queued<Result>(thread: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(thread, work)
  }

  /** Told by a thread's last record, since most threads rest: to fold them all would take long. */
  async #mayBeOpen(thread: string): Promise<boolean> {
    const { log } = this.#parts
    const after = Math.max(-1, (await log.head(thread)) - 1)
    for await (const [last] of log.read(thread, { after })) {
      return !last || !endsRun(last) || last.origin.depth > 0
    }
    return false
  }

  /** Ends a turn that waits: its questions are answered with nothing, and its tools never run. */
  async #giveUp(thread: string, { agent, waits }: Waiting): Promise<boolean> {
    return this.#queue.run(thread, async () => {
      const { pauses } = await withoutOpenRuns(this.#parts.gate, thread)
      if (pauses.waiting?.waits[0]?.id !== waits[0]?.id) return false
      const run = this.#parts.id()
      const origin = { source: 'system', agent, path: [agent], depth: 0, run, turn: run } as const
      await this.#parts.gate.append(thread, cancelledOpening(thread, origin, waits))
      return true
    })
  }
}

interface TurnRequest {
  readonly thread: string
  readonly key: string | undefined
  /** What a key stands for: a start and a resume may have the same one. */
  readonly does: 'run' | 'resume'
  readonly request: RunRequest
}

interface Begin {
  readonly active: ActiveTurn
  readonly request: RunRequest
  readonly digest: string | undefined
  /** Says which earlier record the turn's events refer to. */
  readonly refersTo: (seq: number | undefined) => void
}

interface Prepared<State> {
  readonly scope: RunScope<State>
  readonly opening: readonly NewEvent[]
}

function sameName(name: string): AgentError {
  return new AgentError('invalid_agent', `Cannot use two agents called "${name}": name one anew`)
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
