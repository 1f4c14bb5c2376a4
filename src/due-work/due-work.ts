import { DUE_MAX, dueEffects } from '../domain/index.ts'
import type { LastActivity } from '../domain/index.ts'
import { ThreadQueue } from '../gate/index.ts'
import type { Gate } from '../gate/index.ts'
import { LogError, holdNow, mayPass } from '../log/index.ts'
import type { EventLog, Holdings, Origin } from '../log/index.ts'
import { LinkedSignal, whileOpen } from '../models/index.ts'
import { nextTurn } from '../platform/index.ts'
import { dueWorkKey } from '../thread/index.ts'
import type { Snapshot } from '../thread/index.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { Deadlines } from './deadlines.ts'
import type { Held } from './deadlines.ts'
import { attemptEffect, hasEnded } from './effect-attempt.ts'
import type { Attempt } from './effect-attempt.ts'
import { checkRunners, retryAt } from './effect-runner.ts'
import type { EffectRunners } from './effect-runner.ts'
import { KnownKeys } from './known-keys.ts'
import { ThreadJobs } from './thread-jobs.ts'
import type { JobReason } from './thread-jobs.ts'
import { WakeTimes } from './wake-times.ts'

/** Effects that one turn waits for, one after the other; the lane goes on with the rest behind it. */
export const EFFECTS_PER_TURN_MAX = 8
/** Threads whose effects one process works on side by side. */
export const EFFECT_THREADS_MAX = 64
/** Threads whose deadlines one process looks at side by side. */
export const DEADLINE_THREADS_MAX = 16
/** When a thread is looked at again whose lease another process has, or whose log failed. */
export const LOOK_RETRY_MS = 10_000
/** When a thread is looked at again after a fault of the store that may pass. */
export const FAULT_RETRY_MS = 2_000

export interface DueWorkParts<State> {
  readonly gate: Gate<State>
  readonly log: Pick<EventLog, 'find'>
  readonly runners: EffectRunners<State>
  readonly holdings: Pick<Holdings, 'hold'>
  readonly clock?: Clock
  readonly onFault: (error: unknown, thread: string) => void
}

/** Effects that a pass may try: `turn` leaves the retries that have a time of their own to the lane. */
type PassReason = JobReason | 'turn'

interface Pass {
  readonly reason: PassReason
  readonly origin: Origin
  /** Effects that the pass may try. */
  readonly max: number
  /** Each effect is tried once in a pass. */
  readonly attempted: Set<string>
  /** The pass begins no further effect once it aborts. */
  readonly signal?: AbortSignal
}

interface OpenEffect extends Pick<Attempt<never>, 'due' | 'progress'> {
  readonly slot: string
}

type Folded<State> = Pick<Snapshot<State>, 'state' | 'dueWork' | 'isErased'>

/**
 * Runs the effects and fires the deadlines of threads: the effects of one thread one after the other, its
 * deadlines beside them, many threads side by side. It works under the thread's holding, and reads all it
 * needs from the log: another process, or the next start, goes on where it stopped.
 */
export class DueWorkLane<State> {
  readonly #parts: DueWorkParts<State> & { readonly clock: Clock }
  readonly #deadlines: Deadlines<State>
  readonly #times: WakeTimes
  readonly #looks: ThreadJobs
  readonly #effects: ThreadJobs
  readonly #ended = new KnownKeys()
  readonly #queue = new ThreadQueue()
  /** The passes over effects that run, with their threads. */
  readonly #passes = new Map<LinkedSignal, string>()
  readonly #stopping = new AbortController()

  /** @throws `DefinitionError` `missing_runner`, `invalid_runner` */
  constructor(parts: DueWorkParts<State>) {
    checkRunners(parts.gate.domain, parts.runners)
    const clock = parts.clock ?? { ...systemClock, now: parts.gate.now }
    this.#parts = { ...parts, clock }
    this.#deadlines = new Deadlines(parts)
    this.#times = new WakeTimes(clock, (thread) => this.#looks.start(thread, 'time'))
    const onFault = (error: unknown, thread: string): void => this.#fault(error, thread)
    this.#looks = new ThreadJobs({
      max: DEADLINE_THREADS_MAX,
      run: (thread, reason) => this.#look(thread, reason),
      onFault,
    })
    this.#effects = new ThreadJobs({
      max: EFFECT_THREADS_MAX,
      run: (thread, reason) => {
        const origin = { source: 'system', depth: 0 } as const
        return this.#runEffects(thread, { reason, origin, max: DUE_MAX, attempted: new Set() })
      },
      onFault,
    })
  }

  /**
   * Runs what a turn waits for: the first attempt of each due effect, and another one of those that failed
   * and have no `retry`. At most {@link EFFECTS_PER_TURN_MAX}; the lane does the rest in the background. It
   * resolves at once when the signal aborts: then the attempt under way goes on in the background too.
   */
  async run(
    thread: string,
    { origin, signal }: { readonly origin: Origin; readonly signal?: AbortSignal },
  ): Promise<void> {
    const wait = new LinkedSignal(signal)
    const work = this.#runEffects(thread, {
      reason: 'turn',
      origin,
      max: EFFECTS_PER_TURN_MAX,
      attempted: new Set(),
      signal: wait.signal,
    }).catch((error: unknown) => {
      // The turn ends without them: the lane goes on once the store works again.
      if (!wait.signal.aborted && !mayPass(error)) throw error
      this.#fault(error, thread)
    })
    try {
      await whileOpen(wait, () => work)
    } catch (error) {
      if (!wait.signal.aborted) throw error
    } finally {
      wait.release()
    }
  }

  /** Whether a turn that leaves the thread like this has effects to {@link run} before it ends. */
  awaits(thread: string, folded: Folded<State>): boolean {
    return this.#open(thread, folded).some((each) => this.#isReady(each, 'turn'))
  }

  /** Looks at a thread in the background: runs its due work, and sets a timer for later work. */
  wake(thread: string): void {
    if (this.#hasDueWork) this.#looks.start(thread, 'wake')
  }

  /** Looks at a thread that another process may have changed: like a wake, but it hurries no retry. */
  catchUp(thread: string): void {
    if (this.#hasDueWork) this.#looks.start(thread, 'time')
  }

  /** Wakes a thread at a time that was kept when the process stopped. */
  wakeAt(thread: string, at: number): void {
    if (at <= this.#parts.clock.now()) this.wake(thread)
    else this.#setTime(thread, at)
  }

  /** When work of a thread is due: 0 at once, a time, or undefined when nothing is open. */
  async nextDueAt(thread: string): Promise<number | undefined> {
    const { times } = await this.#lookUp(thread, await this.#parts.gate.snapshot(thread))
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Resolves once no effect runs and no thread is looked at. Work that waits for its time is not running. */
  async settled(): Promise<void> {
    while (this.#passes.size > 0 || !this.#looks.isIdle || !this.#effects.isIdle) {
      await Promise.all([this.#looks.ended(), this.#effects.ended(), this.#queue.ended()])
      // A turn's pass may be between two effects.
      await nextTurn()
    }
  }

  /** Begins nothing more in the background; ends when all has ended, or aborts it after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    this.#looks.stop()
    this.#effects.stop()
    this.#times.clear()
    const cancelTimer = this.#parts.clock.after(graceMs, () => {
      this.#stopping.abort()
      for (const link of this.#passes.keys()) link.abort()
    })
    await Promise.all([this.#looks.ended(), this.#effects.ended()])
    await this.#queue.ended()
    cancelTimer()
    this.#times.clear()
  }

  /** Threads whose work is due or runs, and those whose time is still to come. */
  get load(): { readonly due: number; readonly timed: number } {
    return { due: this.#looks.size + this.#effects.size, timed: this.#times.size }
  }

  get #hasDueWork(): boolean {
    const { effects, deadlines } = this.#parts.gate.domain
    return effects.length + deadlines.length > 0
  }

  async #look(thread: string, reason: JobReason): Promise<void> {
    const { gate, clock } = this.#parts
    // One time for the whole pass: work that becomes due meanwhile gets a timer.
    const now = clock.now()
    const isDone = await this.#deadlines.fire(thread, now)
    if (!isDone) this.#looks.start(thread, 'time')
    const { open, times } = await this.#lookUp(thread, await gate.snapshot(thread))
    const later = times.filter((at) => at > now)
    this.#setTime(thread, later.length === 0 ? undefined : Math.min(...later))
    // A pass that runs looks at the thread again when it ends.
    if (reason === 'time' && [...this.#passes.values()].includes(thread)) return
    if (open.some((each) => this.#isReady(each, reason))) this.#effects.start(thread, reason)
  }

  async #runEffects(thread: string, pass: Pass): Promise<void> {
    if (this.#next(thread, await this.#parts.gate.snapshot(thread), pass)) {
      const held = await holdNow(this.#parts.holdings, thread)
      const link = new LinkedSignal(held.signal)
      this.#passes.set(link, thread)
      try {
        await this.#runHeld(thread, pass, { fence: held.fence, signal: link.signal })
      } finally {
        this.#passes.delete(link)
        link.release()
        held.done()
      }
      if (link.signal.aborted) return this.#lookLater(thread)
    }
    this.#looks.start(thread, 'time')
  }

  async #runHeld(thread: string, pass: Pass, under: Held): Promise<void> {
    for (let ran = 0; ran < pass.max; ran++) {
      if (!(await this.#queue.run(thread, () => this.#runNext(thread, pass, under)))) return
      // An outcome may have made a deadline due, which does not wait for the next effect.
      this.#looks.start(thread, 'time')
    }
  }

  /** Returns false when nothing is left to try, or the holding has ended. */
  async #runNext(thread: string, pass: Pass, under: Held): Promise<boolean> {
    const ends = [under.signal, this.#stopping.signal, pass.signal]
    if (ends.some((signal) => signal?.aborted)) return false
    const next = this.#next(thread, await this.#parts.gate.snapshot(thread), pass)
    const runner = next && this.#parts.runners[next.due.name]
    if (!next || !runner) return false
    pass.attempted.add(next.slot)
    const attempt = { ...next, ...under, thread, runner, origin: pass.origin }
    const end = await attemptEffect(this.#parts, attempt)
    if (end === 'ended') this.#ended.add(thread, next.slot)
    return end !== 'aborted'
  }

  #next(thread: string, folded: Folded<State>, pass: Pass): OpenEffect | undefined {
    return this.#open(thread, folded).find(
      (each) => !pass.attempted.has(each.slot) && this.#isReady(each, pass.reason),
    )
  }

  #open(thread: string, { state, dueWork, isErased }: Folded<State>): readonly OpenEffect[] {
    if (isErased) return []
    const ended = new Set(dueWork.ended)
    return dueEffects(this.#parts.gate.domain, state)
      .map((due) => ({ due, slot: dueWorkKey(due) }))
      .filter(({ slot }) => !ended.has(slot) && !this.#ended.has(thread, slot))
      .map(({ due, slot }) => ({ due, slot, progress: dueWork.requested[slot] }))
  }

  #isReady(effect: OpenEffect, reason: PassReason): boolean {
    const at = this.#retryAt(effect)
    if (at === 'first') return true
    if (at === 'untimed') return reason !== 'time'
    return reason !== 'turn' && at <= this.#parts.clock.now()
  }

  #retryAt({ due, progress }: OpenEffect) {
    if (!progress || progress.failures === 0) return 'first'
    // The clock was ahead then, so the pause since the failure is unknown.
    if ((progress.failedAt ?? 0) > this.#parts.clock.now()) return 0
    return retryAt(this.#parts.runners[due.name] ?? {}, progress) ?? 'untimed'
  }

  /** The open effects that have not ended by the log, and when they and the next deadline are due. */
  async #lookUp(thread: string, folded: Folded<State> & LastActivity) {
    const open: OpenEffect[] = []
    const times: number[] = []
    for (const effect of this.#open(thread, folded)) {
      const at = this.#retryAt(effect)
      if (at === 'first' && (await hasEnded(this.#parts, thread, effect.due))) {
        this.#ended.add(thread, effect.slot)
        continue
      }
      open.push(effect)
      times.push(typeof at === 'number' ? at : 0)
    }
    const deadline = await this.#deadlines.next(thread, folded)
    return { open, times: deadline ? [...times, deadline.at] : times }
  }

  #setTime(thread: string, at: number | undefined): void {
    if (this.#times.set(thread, at)) return
    const message = 'Cannot set a timer for due work: too many threads wait; wake this one later'
    this.#parts.onFault(new Error(message), thread)
  }

  #fault(error: unknown, thread: string): void {
    if (this.#stopping.signal.aborted) return
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process works on the thread; if it dies, this process goes on.
    if (code === 'busy' || code === 'fenced') return this.#lookLater(thread)
    this.#parts.onFault(error, thread)
    // A disk may have room again; a bug stays until the thread changes, which wakes it.
    if (mayPass(error)) this.#lookLater(thread, FAULT_RETRY_MS)
    else if (error instanceof LogError && code !== 'closed') this.#lookLater(thread)
  }

  #lookLater(thread: string, afterMs = LOOK_RETRY_MS): void {
    this.#setTime(thread, this.#parts.clock.now() + afterMs)
  }
}
