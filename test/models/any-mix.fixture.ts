import { Runs } from '../../src/agents/index.ts'
import type { AgentResult, AgentTurn } from 'throughline'
import type { TurnRequest } from '../../src/agents/index.ts'
import type { WaitingTurn } from '../../src/activity/index.ts'
import { Gate, stableId } from '../../src/gate/index.ts'
import type { EventLog } from 'throughline/log'
import { sha256 } from 'throughline/log'
import type { Snapshot } from '../../src/thread/index.ts'
import { eventsOf } from '../../src/agents/runs.fixture.ts'
import { chance } from '../chance.fixture.ts'
import { mixAgents, mixDesk, oneOf, ticks } from './mix-agents.fixture.ts'
import type { Desk } from './mix-agents.fixture.ts'
import { MixDisk } from './mix-disk.fixture.ts'
import { endsInTime, expectedCode } from './mix-promises.fixture.ts'

/** Turns of one thread that may wait for answers at its end. */
const WAITS_MAX = 16

/** A turn that a mix started, and its result or error code once it has settled. */
export interface MixTurn {
  readonly turn: AgentTurn<Desk>
  readonly key?: string
  /** The request without its key, as JSON. */
  readonly request: string
  settled?: { readonly result: AgentResult<Desk> } | { readonly code: string }
}

interface Engine {
  readonly disk: MixDisk
  readonly gate: Gate<Desk>
  readonly runs: Runs<Desk>
}

/** A thread with one engine at a time, and random acts of people, models and disks. */
export class Mix {
  readonly turns: MixTurn[] = []
  readonly faults: string[] = []
  readonly counts = { actions: 0, crashes: 0 }
  readonly #chance: () => number
  readonly #log: EventLog
  readonly #thread: string
  readonly #others: Promise<unknown>[] = []
  /** Turns whose cancel was accepted, by an engine that has not failed since. */
  readonly #cancelled = new Set<string>()
  #ids = 0
  #engine: Engine

  constructor(seed: number, { log, thread }: { readonly log: EventLog; readonly thread: string }) {
    this.#chance = chance(seed)
    ;[this.#log, this.#thread] = [log, thread]
    this.#engine = this.#newEngine()
  }

  /** Does random actions, ends every turn, and checks that the thread then takes another one. */
  async run(): Promise<void> {
    const actions = 3 + this.#nat(12)
    for (let action = 0; action < actions; action++) {
      if (this.#engine.disk.dead) await this.#restart()
      this.counts.actions++
      await oneOf(this.#chance, ACTIONS)(this)
      await ticks(this.#nat(5))
    }
    await this.#settle()
    await this.#askOnceMore()
  }

  /** The thread as the present engine folds it. */
  snapshot(): Promise<Snapshot<Desk>> {
    return this.#engine.gate.snapshot(this.#thread)
  }

  start(): void {
    const agent = oneOf(this.#chance, AGENTS)
    const key = this.#maybe(0.5) ? oneOf(this.#chance, ['key-1', 'key-2', 'key-3']) : undefined
    const input = this.#maybe(0.8) ? oneOf(this.#chance, ['Go', 'Go', 'Stop']) : undefined
    const events = Array.from({ length: this.#maybe(0.4) ? 1 + this.#nat(2) : 0 }, () => ({
      type: this.#maybe(0.9) ? 'click' : 'mark',
      data: { n: this.#nat(4) },
    }))
    const first = this.#maybe(0.1)
    const request = { agent, events, first, ...(input === undefined ? {} : { input }) }
    this.#start(request, key)
  }

  /** Sends an earlier request again under its key, mostly with the same content. */
  repeat(): void {
    const keyed = this.turns.filter(({ key }) => key !== undefined)
    if (keyed.length === 0) return this.start()
    const { key, request } = oneOf(this.#chance, keyed)
    const known = JSON.parse(request) as TurnRequest | { readonly run: string }
    if ('run' in known) return
    const other = this.#maybe(0.2) ? { input: `other ${this.#nat(3)}` } : {}
    return this.#start({ ...known, ...other }, key)
  }

  async resume(): Promise<void> {
    const waiting = await this.#waiting()
    if (!waiting && this.#maybe(0.7)) return this.wait()
    const run = waiting && this.#maybe(0.9) ? waiting.run : this.#newId()
    const values = Object.fromEntries(
      (waiting?.waits ?? []).map(({ id, reason, toolCallId }) => {
        if (reason === 'client_tool') return [id, { [toolCallId]: { given: 1 } }]
        const name = this.#maybe(0.5) ? 'Ada' : 5
        return [id, reason === 'tool_approval' ? { approved: this.#maybe(0.6) } : { name }]
      }),
    )
    const given = this.#maybe(0.85) ? values : { nonsense: true }
    const key = this.#maybe(0.2) ? oneOf(this.#chance, ['key-1', 'key-2']) : undefined
    const request = JSON.stringify({ run, values: given })
    const keyed = key === undefined ? {} : { key }
    const turn = this.#engine.runs.resume(this.#thread, { run, values: given, ...keyed })
    this.#take({ turn, request, ...keyed })
  }

  async cancel(): Promise<void> {
    const run = await this.#anyRun()
    const surface = this.#maybe(0.15) ? { surface: oneOf(this.#chance, ['desk', 'hall']) } : {}
    const by = this.#maybe(0.5) ? { by: 'customer' } : {}
    const request = { ...surface, ...by, ...(run === undefined ? {} : { run }) }
    const times = this.#maybe(0.15) ? 2 : 1
    for (let time = 0; time < times; time++) this.#later(this.#cancel(request))
  }

  click(): void {
    const { disk, gate } = this.#maybe(0.7) ? this.#engine : this.#otherServer()
    if (disk.dead) return
    const surface = oneOf(this.#chance, ['desk', 'hall'])
    const origin = { source: 'ui', surface, depth: 0 } as const
    const clicks = Array.from({ length: 1 + this.#nat(2) }, () => ({
      id: this.#newId(),
      type: 'click',
      data: { n: this.#nat(4) },
      origin,
    }))
    this.#later(gate.commit(this.#thread, clicks))
  }

  forget(): void {
    this.#later(this.#engine.runs.resetHistory(this.#thread))
  }

  recover(): void {
    this.#later(this.#engine.runs.recover(this.#thread))
  }

  /** The process dies at once, or at one of the next appends. */
  crash(): void {
    const { disk } = this.#engine
    if (this.#maybe(0.2)) disk.die()
    else disk.dieAfter(this.#nat(12), this.#maybe(0.5) ? 'stored' : 'lost')
  }

  fillDisk(): void {
    this.#cancelled.clear()
    this.#engine.disk.fill(1 + this.#nat(2))
  }

  /** The process stops; the engine aborts the turns that do not end in time. */
  async drain(): Promise<void> {
    const { runs, disk } = this.#engine
    await runs.drain(this.#nat(3))
    disk.die()
  }

  wait(): Promise<void> {
    return ticks(10 + this.#nat(30))
  }

  #start(request: Omit<TurnRequest, 'key'>, key: string | undefined): void {
    const keyed = key === undefined ? {} : { key }
    const turn = this.#engine.runs.start(this.#thread, { ...request, ...keyed })
    this.#take({ turn, request: JSON.stringify(request), ...keyed })
  }

  #take(asked: MixTurn): void {
    this.turns.push(asked)
    const { turn } = asked
    turn.result.then(
      (result) => void (asked.settled = { result }),
      (error: unknown) => void (asked.settled = { code: this.#expected(error) }),
    )
    if (this.#maybe(0.3)) this.#later(eventsOf(turn))
    if (this.#maybe(0.3)) this.#later(turn.started)
  }

  async #cancel(request: { readonly run?: string; readonly surface?: string }): Promise<void> {
    const engine = this.#engine
    if (!(await engine.runs.cancel(this.#thread, request))) return
    const { run } = request
    const isTurn = this.turns.some(({ turn, settled }) => turn.run === run && !settled)
    if (isTurn && run !== undefined && engine === this.#engine) this.#cancelled.add(run)
  }

  /** Returns the id of a turn, of a run of any depth, of no run at all, or undefined. */
  async #anyRun(): Promise<string | undefined> {
    const drawn = this.#chance()
    if (drawn < 0.3) return undefined
    if (drawn < 0.4) return this.#newId()
    const { openRuns } = await this.snapshot()
    const waiting = await this.#waiting()
    const open = openRuns.map(({ runId }) => runId)
    const turns = this.turns.map(({ turn }) => turn.run)
    const stopped = waiting ? [waiting.run, waiting.turn] : []
    const known = drawn < 0.7 && open.length > 0 ? open : [...turns, ...stopped]
    return known.length > 0 ? oneOf(this.#chance, known) : undefined
  }

  /** One of the turns that wait for answers. */
  async #waiting(): Promise<WaitingTurn | undefined> {
    const { waiting } = (await this.snapshot()).pauses
    return waiting.length > 0 ? oneOf(this.#chance, waiting) : undefined
  }

  #newEngine(): Engine {
    const { disk, gate } = this.#otherServer()
    const agents = mixAgents(this.#chance)
    // The only faults in the background are those of a process that has died.
    const faults = { onFault: () => undefined }
    const parts = { gate, log: disk.log, agents, sha256, id: () => this.#newId(), ...faults }
    return { disk, gate, runs: new Runs<Desk>({ ...parts, retryDelayMs: 0 }) }
  }

  #otherServer(): Pick<Engine, 'disk' | 'gate'> {
    const disk = new MixDisk(this.#log)
    const parts = { domain: mixDesk, sha256, now: Date.now, id: () => this.#newId() }
    return { disk, gate: new Gate<Desk>({ ...parts, log: disk.log }) }
  }

  async #restart(): Promise<void> {
    await this.#engine.disk.quiet()
    this.counts.crashes++
    this.#cancelled.clear()
    // Ends the turns of the dead process too, so that all their promises settle.
    this.#others.push(this.#engine.runs.drain(0))
    this.#engine = this.#newEngine()
    if (this.#maybe(0.5)) this.recover()
  }

  async #settle(): Promise<void> {
    this.#engine.disk.mend()
    if (!this.#engine.disk.dead && this.#maybe(0.3)) this.#engine.disk.die()
    if (this.#engine.disk.dead) await this.#restart()
    this.#engine.disk.dieAfter(Number.POSITIVE_INFINITY, 'lost')
    await ticks(60)
    await this.#endTurns()
    if (!(await endsInTime(Promise.all(this.#others)))) this.faults.push('a promise never settles')
    await this.#engine.runs.recover(this.#thread)
    for (let waits = 0; waits < WAITS_MAX; waits++) {
      if (!(await this.#engine.runs.cancel(this.#thread))) break
    }
  }

  async #endTurns(): Promise<void> {
    // The cancel of a turn that waits is queued behind other turns: all are cancelled before one is awaited.
    for (const { turn, settled } of this.turns) {
      if (settled || this.#cancelled.has(turn.run)) continue
      this.#later(this.#engine.runs.cancel(this.#thread, { run: turn.run }))
    }
    for (const { turn, settled } of this.turns) {
      const { run, result } = turn
      if (settled) continue
      const cancelled = this.#cancelled.has(run)
      if (!(await endsInTime(result))) {
        this.faults.push(`turn ${run} goes on after it was cancelled${cancelled ? ' once' : ''}`)
      }
    }
  }

  /** Checks that the thread takes another turn, and that nothing is open after it. */
  async #askOnceMore(): Promise<void> {
    const turn = this.#engine.runs.start(this.#thread, { agent: 'calm', input: 'And now?' })
    this.#take({ turn, request: '' })
    const { reason, text } = await turn.result
    if (reason !== 'success' || text !== 'All is well.') {
      this.faults.push(`the next turn ends with ${reason}: ${text}`)
    }
    const { openRuns } = await this.snapshot()
    if (openRuns.length > 0) this.faults.push(`${openRuns.length} runs are open at the end`)
    if (await this.#waiting()) this.faults.push('the thread waits at the end')
  }

  #later(work: Promise<unknown>): void {
    this.#others.push(work.catch((error: unknown) => this.#expected(error)))
  }

  /** The code of a failure that may come up in a mix; any other failure is a fault. */
  #expected(error: unknown): string {
    const code = expectedCode(error)
    if (code === undefined) this.faults.push(`a promise rejects with ${String(error)}`)
    return code ?? ''
  }

  /** An id that the seed repeats. */
  #newId(): string {
    return stableId(this.#thread, String(this.#ids++))
  }

  #maybe(share: number): boolean {
    return this.#chance() < share
  }

  #nat(below: number): number {
    return Math.floor(this.#chance() * below)
  }
}

const AGENTS = weighed([
  [3, 'lead'],
  [2, 'desk'],
  [1, 'hall'],
  [1, 'writer'],
  [1, 'calm'],
])

const ACTIONS: readonly ((mix: Mix) => unknown)[] = weighed([
  [8, (mix) => mix.start()],
  [4, (mix) => mix.repeat()],
  [5, (mix) => mix.resume()],
  [6, (mix) => mix.cancel()],
  [3, (mix) => mix.click()],
  [1, (mix) => mix.forget()],
  [1, (mix) => mix.recover()],
  [2, (mix) => mix.crash()],
  [1, (mix) => mix.fillDisk()],
  [1, (mix) => mix.drain()],
  [6, (mix) => mix.wait()],
])

function weighed<Value>(choices: readonly (readonly [number, Value])[]): readonly Value[] {
  return choices.flatMap(([weight, value]) => Array.from({ length: weight }, () => value))
}
