import { startOf } from '../../json/index.ts'
import {
  PROGRAM_INACTIVITY_MAX_MS,
  PROGRAM_INTERRUPT_MAX_MS,
  PROGRAM_PROMPT_CHARS_MAX,
  PROGRAM_QUIET_MAX_MS,
  PROGRAM_QUIET_MS,
  PROGRAM_START_MAX_MS,
  PROGRAM_TURN_SILENCE_MAX_MS,
  PROGRAM_WAITING_CHARS_MAX,
  PROGRAM_WAITING_EVENTS_MAX,
} from '../limits.ts'
import { Child } from '../process/child.ts'
import type { Command, ExitReason, ProgramExit } from '../process/child.ts'
import type { OutputLine } from '../process/byte-lines.ts'
import { ProgramError } from '../program-error.ts'
import type { PermissionAnswer, Prompt, SessionEvent } from './session-event.ts'
import { inBackground } from '../../platform/index.ts'

/** The output and input of one kind of program, by lines. It knows no process and no time. */
export interface Dialect {
  /** Nothing that was begun is open. */
  readonly isIdle: boolean
  /** The program waits for a person's answer. */
  readonly isAsking: boolean
  /** Why no session can be opened; the program is ended for it. */
  readonly failure?: ProgramError | undefined
  /** Something counts once nothing has come for `PROGRAM_QUIET_MS`. */
  readonly awaitsQuiet?: boolean
  opening(): readonly string[]
  prompt(prompt: Prompt): readonly string[]
  interrupt(): readonly string[]
  answer(request: string, answer: PermissionAnswer): readonly string[]
  /** The meaning of a line; lines to write at once are in `replies`. */
  take(line: OutputLine): readonly SessionEvent[]
  /** The events of what awaited quiet. */
  quiet?(): readonly SessionEvent[]
  /** The lines that `take` has wanted to be written since the last call. */
  replies(): readonly string[]
}

export interface SessionLimits {
  readonly startMaxMs?: number
  readonly turnSilenceMaxMs?: number
  readonly inactivityMaxMs?: number
  readonly interruptMaxMs?: number
}

export interface SessionParts {
  readonly command: Command
  readonly dialect: Dialect
  readonly limits?: SessionLimits
}

/** One life of a program's process, from its start to its exit. */
export class ProgramSession {
  readonly #child: Child
  readonly #dialect: Dialect
  readonly #limits: Required<SessionLimits>
  readonly #ready = Promise.withResolvers<void>()
  readonly #waiting: SessionEvent[] = []
  #waitingChars = 0
  #news = Promise.withResolvers<void>()
  #room = Promise.withResolvers<void>()
  #isOver = false
  #isReady = false
  #activeAt = performance.now()
  #interruptedAt: number | undefined
  readonly #startedAt = performance.now()
  readonly #watch: ReturnType<typeof setInterval>
  #quietTimer: ReturnType<typeof setTimeout> | undefined
  /** When the dialect began to await quiet. */
  #awaitedSince: number | undefined

  constructor({ command, dialect, limits = {} }: SessionParts) {
    this.#child = new Child(command)
    this.#dialect = dialect
    this.#limits = {
      startMaxMs: limits.startMaxMs ?? PROGRAM_START_MAX_MS,
      turnSilenceMaxMs: limits.turnSilenceMaxMs ?? PROGRAM_TURN_SILENCE_MAX_MS,
      inactivityMaxMs: limits.inactivityMaxMs ?? PROGRAM_INACTIVITY_MAX_MS,
      interruptMaxMs: limits.interruptMaxMs ?? PROGRAM_INTERRUPT_MAX_MS,
    }
    const shortest = Math.min(...Object.values(this.#limits))
    this.#watch = setInterval(() => this.#endIfLate(), Math.max(10, Math.min(1_000, shortest / 4)))
    // A failed start is reported by the first call that needs it.
    this.#ready.promise.catch(() => undefined)
    inBackground(this.#run())
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get hasExited(): boolean {
    return this.#child.hasExited
  }

  /** Why the process could not be started. */
  get failure(): ProgramError | undefined {
    return this.#child.failure
  }

  get isIdle(): boolean {
    return this.#dialect.isIdle
  }

  /** Resolves once the program answers. @throws {@link ProgramError} `no_program`, `program_exited` */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  get exited(): Promise<ProgramExit> {
    return this.#child.exited
  }

  /** The program's events in order, for one reader. Ends after the process has. */
  async *events(): AsyncGenerator<readonly SessionEvent[], void> {
    for (;;) {
      if (this.#waiting.length > 0) {
        const events = this.#waiting.splice(0)
        this.#waitingChars = 0
        this.#room.resolve()
        this.#room = Promise.withResolvers()
        yield events
      } else if (this.#isOver) return
      else {
        this.#news = Promise.withResolvers()
        await this.#news.promise
      }
    }
  }

  /**
   * Writes a prompt under its id. The program does not run an id again that it has answered.
   *
   * @throws {@link ProgramError} `too_large`, `write_failed`, and what `ready` rejects with
   */
  async prompt(prompt: Prompt): Promise<void> {
    if (prompt.text.length > PROGRAM_PROMPT_CHARS_MAX) {
      const why = `it has more than ${PROGRAM_PROMPT_CHARS_MAX} characters`
      throw new ProgramError('too_large', `Cannot write the prompt: ${why}`, { isUnreached: true })
    }
    await this.#ready.promise
    await this.#write(this.#dialect.prompt(prompt))
  }

  /** Asks the program to end its work. The program is ended where it does not within a limit. */
  async interrupt(): Promise<void> {
    if (this.#dialect.isIdle) return
    this.#interruptedAt ??= performance.now()
    await this.#write(this.#dialect.interrupt())
  }

  /** Answers what the program asks permission for. A request that is unknown or answered is ignored. */
  async answer(request: string, answer: PermissionAnswer): Promise<void> {
    await this.#write(this.#dialect.answer(request, answer))
    this.#awaitQuiet()
  }

  stop(reason: ExitReason = 'stopped'): Promise<ProgramExit> {
    this.#room.resolve()
    return this.#child.stop(reason)
  }

  /** Whether Node may not end while the program runs. */
  hold(isHeld: boolean): void {
    this.#child.hold(isHeld)
    if (isHeld) this.#watch.ref()
    else this.#watch.unref()
  }

  async #write(lines: readonly string[]): Promise<void> {
    this.#activeAt = performance.now()
    for (const line of lines) await this.#child.write(line)
  }

  async #run(): Promise<void> {
    try {
      await Promise.all([this.#write(this.#dialect.opening()).catch(() => undefined), this.#read()])
    } finally {
      const exit = await this.exited
      clearInterval(this.#watch)
      // A program that ends behind the answer has said all.
      if (this.#isReady) this.#endQuiet()
      clearTimeout(this.#quietTimer)
      this.#ready.reject(this.failure ?? exitError(exit))
      this.#isOver = true
      this.#news.resolve()
    }
  }

  async #read(): Promise<void> {
    for await (const lines of this.#child.lines()) {
      this.#activeAt = performance.now()
      for (const line of lines) {
        this.#take(line)
        const isFull =
          this.#waiting.length >= PROGRAM_WAITING_EVENTS_MAX ||
          this.#waitingChars >= PROGRAM_WAITING_CHARS_MAX
        if (isFull) {
          await this.#room.promise
          this.#activeAt = performance.now()
        }
      }
      const { failure } = this.#dialect
      if (failure) {
        this.#ready.reject(failure)
        inBackground(this.stop())
        return
      }
      const replies = this.#dialect.replies()
      if (replies.length > 0) await this.#write(replies).catch(() => undefined)
      this.#awaitQuiet()
    }
  }

  #awaitQuiet(): void {
    clearTimeout(this.#quietTimer)
    const isAwaited = this.#dialect.awaitsQuiet === true
    this.#awaitedSince = isAwaited ? (this.#awaitedSince ?? performance.now()) : undefined
    if (this.#awaitedSince === undefined) return
    const left = PROGRAM_QUIET_MAX_MS - (performance.now() - this.#awaitedSince)
    this.#quietTimer = setTimeout(() => this.#endQuiet(), Math.min(PROGRAM_QUIET_MS, left))
  }

  #endQuiet(): void {
    this.#awaitedSince = undefined
    this.#add(this.#dialect.quiet?.() ?? [])
  }

  #take(line: OutputLine): void {
    const events = this.#dialect.take(line)
    if (events.length > 0) this.#waitingChars += line.text.length
    this.#add(events)
  }

  #add(events: readonly SessionEvent[]): void {
    if (events.length === 0) return
    for (const event of events) {
      if (event.type === 'ready') {
        this.#isReady = true
        this.#ready.resolve()
      }
      if (event.type === 'idle') this.#interruptedAt = undefined
      this.#waiting.push(event)
    }
    this.#news.resolve()
  }

  #endIfLate(): void {
    const reason = this.#lateFor(performance.now())
    if (reason !== undefined) inBackground(this.stop(reason))
  }

  #lateFor(now: number): ExitReason | undefined {
    const { startMaxMs, turnSilenceMaxMs, inactivityMaxMs, interruptMaxMs } = this.#limits
    const silent = now - this.#activeAt
    if (!this.#isReady) return now - this.#startedAt > startMaxMs ? 'start_timeout' : undefined
    const sinceInterrupt = now - (this.#interruptedAt ?? now)
    if (!this.#dialect.isIdle && sinceInterrupt > interruptMaxMs) return 'interrupt_timeout'
    // A reader that lets it wait is no fault of the program.
    if (this.#waiting.length >= PROGRAM_WAITING_EVENTS_MAX) return undefined
    const isWorking = !this.#dialect.isIdle && !this.#dialect.isAsking
    if (isWorking && silent > turnSilenceMaxMs) return 'turn_timeout'
    return silent > inactivityMaxMs ? 'inactivity_timeout' : undefined
  }
}

/** Why a program that has ended cannot go on. */
export function exitError({ reason, code, signal, stderr }: ProgramExit): ProgramError {
  if (reason !== 'exited' && reason !== 'stopped') {
    return new ProgramError(reason, `The program was ended: ${WHY[reason]}`)
  }
  const how = signal === null ? `with code ${code ?? 'none'}` : `by ${signal}`
  const said = startOf(stderr.trim().split('\n').at(-1) ?? '', 500)
  return new ProgramError(
    'program_exited',
    `The program ended ${how}${said === '' ? '' : `: ${said}`}`,
  )
}

const WHY: Readonly<Record<Exclude<ExitReason, 'exited' | 'stopped'>, string>> = {
  start_timeout: 'it did not answer after its start',
  turn_timeout: 'it printed nothing for too long within a turn',
  inactivity_timeout: 'nothing was asked of it for too long',
  interrupt_timeout: 'it did not end its turn after an interrupt',
}
