import { mayRunAgain, ourMetadata, turnOf } from '../../activity/index.ts'
import { keyReused, recordedDigest, stableId } from '../../gate/index.ts'
import { LogError } from '../../log/index.ts'
import type { Holding, LogRecord } from '../../log/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import type { ActiveRuns, ActiveTurn } from '../scope/active-runs.ts'
import { AgentTurn } from './agent-turn.ts'
import type { TurnStart } from './agent-turn.ts'
import type { AgentResult } from '../scope/turn-outcome.ts'
import { endedElsewhere } from './ended-elsewhere.ts'
import type { Recover } from './interrupted.ts'
import { openAgain, openDecidedTurn, openResumedTurn, openTurn } from './opening.ts'
import type { OpenedTurn, Opening, TurnInput } from './opening.ts'
import type { RunScope } from '../scope/scope.ts'
import { runChain } from '../run/run-chain.ts'
import type { RunScopeRequest, RunScopes, RunScopesParts } from './run-scopes.ts'
import { TurnOutcome } from '../scope/turn-outcome.ts'
import type { TurnQueue } from './turn-queue.ts'
import { firstReferred } from './turn-scope.ts'

export interface TurnWorkParts<State> extends Pick<
  RunScopesParts<State>,
  'gate' | 'log' | 'id' | 'sha256'
> {
  readonly active: ActiveRuns
  readonly queue: TurnQueue
  readonly scopes: RunScopes<State>
  readonly recover: Recover<State>
  /** Throws unless the agents may work in a thread. */
  readonly admit?: ((thread: string) => Promise<void>) | undefined
  /** Called after each turn, also one that was refused; with the error of one that failed. */
  readonly ended: (thread: string, error?: unknown) => void
}

export interface AskedTurn {
  readonly thread: string
  readonly surface?: string | undefined
  readonly key: string | undefined
  /** The purpose of a key: a start and a resume may have the same one. */
  readonly scope: string
  /** Its JSON gives the digest. */
  readonly request: object
  /** The turn's id, where something else than a key names it: then it runs once, however it ends. */
  readonly named?: string | undefined
}

interface Begin {
  readonly active: ActiveTurn
  readonly holding: Holding
  readonly digest: string | undefined
  readonly runsOnce: boolean
  readonly started: (start: TurnStart) => void
}

export interface PreparedOpening<State> extends TurnInput {
  /** A crash cut the turn off: it runs once more, if it left nothing that would be done twice. */
  readonly again?: true
  /**
   * Sees the thread as it is when the request arrives, before the queue, and throws when it may not wait
   * there. A request that the log answers may.
   */
  readonly arrived?: (snapshot: Snapshot<State>) => void
  /** Checks that the turn may begin, and says with whom and what. */
  readonly prepare: (
    snapshot: Snapshot<State>,
    earlier?: readonly LogRecord[],
  ) => PreparedTurn<State>
}

export type PreparedTurn<State> = Pick<
  RunScopeRequest<State>,
  'agent' | 'resumed' | 'decided' | 'caller' | 'answerer' | 'typed' | 'surface' | 'client'
> &
  Pick<Opening, 'passedOver'>

interface RunOpening<State> extends PreparedOpening<State>, Pick<Opening, 'earlier'> {
  readonly run: string
}

/** Does the work of turns: each in its thread's queue, from its opening on record to its end. */
export class TurnWork<State> {
  readonly #parts: TurnWorkParts<State>

  constructor(parts: TurnWorkParts<State>) {
    this.#parts = parts
  }

  begin(asked: AskedTurn, opening: PreparedOpening<State>): AgentTurn<State> {
    const { log, id, sha256, queue, ended } = this.#parts
    const { thread, key, scope, surface, request, named } = asked
    const isKnown = named !== undefined || key !== undefined
    const turn = named ?? (key === undefined ? id() : stableId(thread, scope, key))
    const active = this.#parts.active.register(thread, turn, surface)
    const started = Promise.withResolvers<TurnStart>()
    let start: TurnStart | undefined
    const begin = {
      active,
      digest: isKnown ? sha256(JSON.stringify(request)) : undefined,
      runsOnce: named !== undefined,
      started: (at: TurnStart): void => started.resolve((start = at)),
    }
    const end = (error?: unknown): void => {
      active.end()
      ended(thread, error)
    }
    const queued = () =>
      queue.run(thread, (holding) =>
        active.workUnder(holding, () => this.#work({ ...begin, holding }, opening)),
      )
    const result = (
      opening.arrived ? this.#arrived(begin, opening.arrived).then(queued) : queued()
    ).then(
      (ended) => {
        end()
        return ended
      },
      (error: unknown) => {
        end(error)
        return this.#follow(error, active, start)
      },
    )
    result.catch((error: unknown) => started.reject(error))
    return new AgentTurn({ log, thread, run: turn, started: started.promise, result })
  }

  async #arrived(
    { active: { thread, turn }, digest }: Pick<Begin, 'active' | 'digest'>,
    arrived: (snapshot: Snapshot<State>) => void,
  ): Promise<void> {
    const { gate, log } = this.#parts
    const snapshot = await gate.snapshot(thread)
    try {
      arrived(snapshot)
    } catch (error) {
      // Read after the snapshot: a request that closed the question in between is found.
      if (digest === undefined || !(await log.find(thread, turn))) throw error
    }
  }

  /** The result of a turn whose lease was lost is what the process that took it up has recorded. */
  async #follow(
    error: unknown,
    active: ActiveTurn,
    start: TurnStart | undefined,
  ): Promise<AgentResult<State>> {
    const { log, gate } = this.#parts
    if (!(error instanceof LogError && error.code === 'fenced') || !start) throw error
    const outcome = await endedElsewhere(log, active, start.seq)
    if (!outcome) throw error
    return outcome.result((await gate.snapshot(active.thread)).state)
  }

  async #work(begin: Begin, opening: PreparedOpening<State>): Promise<AgentResult<State>> {
    const { log, gate, id, admit } = this.#parts
    const { thread, turn } = begin.active
    if (admit) await admit(thread)
    // Without a key the turn's id is fresh.
    const first = begin.digest === undefined ? undefined : await log.find(thread, turn)
    if (!first) return this.#run(begin, { ...opening, run: turn, earlier: [] })
    const isSame = begin.runsOnce
      ? first.type === 'RUN_STARTED'
      : recordedDigest(first) === begin.digest
    if (!isSame) throw keyReused()
    await this.#parts.recover(thread, begin.holding)
    const earlier: LogRecord[] = []
    const outcome = new TurnOutcome(turn)
    for await (const records of log.read(thread, { after: first.seq - 1 })) {
      outcome.take(records)
      earlier.push(...records.filter((record) => turnOf(record) === turn))
    }
    const result = outcome.result((await gate.latest(thread)).state)
    if (result.reason === 'error' && runsAgain({ ...begin, ...opening, earlier })) {
      return this.#run(begin, { ...opening, run: id(), earlier })
    }
    // A turn that failed and ran again is shown from its last run on.
    const last = earlier.findLast(({ type, origin }) => type === 'RUN_STARTED' && !origin.call)
    begin.started({ seq: (last ?? first).seq, refersTo: 0 })
    return result
  }

  async #run(begin: Begin, opening: RunOpening<State>): Promise<AgentResult<State>> {
    const { gate } = this.#parts
    const { active, holding } = begin
    const { run } = opening
    const snapshot = await this.#parts.recover(active.thread, holding)
    const prepared = opening.prepare(snapshot, opening.earlier)
    const { resumed, decided, passedOver } = prepared
    const scope = this.#parts.scopes.make({
      ...prepared,
      fence: holding.fence,
      run,
      turn: active,
      snapshot,
    })
    try {
      const { digest } = begin
      const opened = open(scope, { ...opening, ...prepared, digest, isFirst: snapshot.seq < 0 })
      const { started, clicks, hasEnded } = await opened
      active.open()
      const refersTo =
        resumed || passedOver
          ? await this.#firstReferred(active.thread, snapshot, prepared)
          : undefined
      begin.started({ seq: started?.seq ?? 0, refersTo })
      if (!hasEnded) await runChain({ ...scope, ...(clicks && { clicks }) }, [], decided)
    } finally {
      this.#parts.active.leave(run)
    }
    const latest = gate.latest(active.thread)
    const { state } = latest instanceof Promise ? await latest : latest
    return scope.turn.outcome.result(state)
  }

  /** The first record that the events of a turn refer to, when it goes on with another or passes over it. */
  async #firstReferred(
    thread: string,
    snapshot: Snapshot<State>,
    { resumed, passedOver }: PreparedTurn<State>,
  ): Promise<number | undefined> {
    if (resumed) return firstReferred(snapshot, resumed.waiting)
    if (!passedOver) return undefined
    // The events of a call that is given up are those of the run that waited.
    const waited = await this.#parts.log.find(thread, passedOver.run)
    const seqs = [waited?.seq, firstReferred(snapshot, passedOver), snapshot.seq]
    return Math.min(...seqs.filter((seq) => seq !== undefined))
  }
}

function open<State>(
  scope: RunScope<State>,
  opening: RunOpening<State> & PreparedTurn<State> & Pick<Opening, 'digest' | 'isFirst'>,
): Promise<OpenedTurn> {
  const { again, resumed, decided, prepare: check } = opening
  if (again) return openAgain(scope)
  if (resumed) return openResumedTurn(scope, { ...opening, resumed, check })
  return decided ? openDecidedTurn(scope, { ...opening, decided, check }) : openTurn(scope, opening)
}

/** A repeated key tries a failed turn again as often as it comes, a crash once. */
function runsAgain({
  again,
  runsOnce,
  earlier,
}: Pick<Begin, 'runsOnce'> & Pick<RunOpening<never>, 'again' | 'earlier'>): boolean {
  const may = again ? !earlier.some(hasRunAgain) : !runsOnce
  return may && mayRunAgain(earlier)
}

/** Whether a record begins a turn once more after a crash. */
function hasRunAgain({ type, data }: LogRecord): boolean {
  return type === 'RUN_STARTED' && ourMetadata(data)['again'] === true
}
