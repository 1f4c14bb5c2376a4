import type { LogRecord } from 'throughline/log'
import type { ProgramExit } from 'throughline/programs'
import { ProblemError } from 'throughline/server'
import { INITIAL_STATE, TEAM_THREAD, requireRoom } from '../events/index.ts'
import type { Payload, PermissionAnswer, TeamState } from '../events/index.ts'
import { Life } from './life.ts'
import type { LifeParts } from './life.ts'
import { failed, noSession, refusalProblem, requireLength, requireShown } from './problems.ts'
import { greeting } from './prompt-text.ts'
import { nextSessionId } from './session-id.ts'
import { SCRIPTED_MODEL } from './program.ts'
import type { ProgramWish, Programs } from './program.ts'

/** Consecutive ends of the program before it has answered anything, after which the session ends. */
export const CRASHES_MAX = 5
/** Times the consecutive ends of the program, and one. */
export const RESTART_DELAY_MS = 200

export interface StartRequest {
  readonly previousTranscript?: unknown
  readonly artifactCatalog?: unknown
  readonly demoMode?: boolean | undefined
}

export type Auth = Pick<Payload<'auth_state'>, 'authMethod' | 'needsSetup' | 'expiresInMinutes'>

export interface TeamParts extends LifeParts {
  readonly programs: Programs
  readonly demoMode: boolean
  readonly auth: Auth
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

interface Beginning {
  readonly id: string
  readonly resume: string | null
  readonly demoMode: boolean
  /** The process that played the team before, under another server. */
  readonly orphan?: number
}

/** The running team: its session, the program that plays it, and people's messages to it. */
export class Team {
  readonly #parts: TeamParts
  #life: Life | undefined
  #state: TeamState = INITIAL_STATE
  /** Why the program is being stopped; absent while it should run. */
  #ending: Payload<'session_end'>['reason'] | undefined
  #running: Promise<void> = Promise.resolve()
  /** The start of the next life of the program, after one that has ended by itself. */
  #restarting: Promise<unknown> = Promise.resolve()
  #isClosing = false
  #crashes = 0
  #starting = false

  constructor(parts: TeamParts) {
    this.#parts = parts
  }

  /** The team's part of `/api/health`, as seen by this process. */
  get health() {
    const { session } = this.#state
    const { needsSetup, authMethod } = this.#parts.auth
    return {
      sessionActive: session !== null,
      sessionId: session?.id ?? null,
      needsSetup,
      authMethod,
      isScripted: this.#parts.programs.model === SCRIPTED_MODEL,
    }
  }

  /** Ends on record the session that the last process left open, and goes on with it. */
  async recover(): Promise<void> {
    const { documents, auth } = this.#parts
    await documents.all()
    const state = await this.#fresh()
    const kept = documents.session
    if (state.auth === null || state.auth.authMethod !== auth.authMethod) {
      await this.#system('auth_state', auth)
    }
    if (!kept) return
    // A log in memory is new: what the old one ended with stands at its beginning.
    if (kept.endReason === null || state.resumable === null) {
      const reason = kept.endReason ?? 'process_crash'
      await this.#system('session_end', { exitCode: null, reason, sessionId: kept.id })
    }
    const { id, claudeSessionId: resume, demoMode, pid: orphan } = kept
    await this.#begin({ id, resume, demoMode, orphan })
  }

  /** @throws {@link ProblemError} 409 with a session open, 400 where the program is not set up or the greeting too long */
  async start(
    request: StartRequest,
    as: Proposer,
  ): Promise<{ sessionId: string; eventId: number }> {
    const { session } = await this.#fresh()
    if (session || this.#starting)
      throw await this.#refused('session_conflict', 409, 'A session is open')
    const demoMode = request.demoMode === true || this.#parts.demoMode
    if (this.#parts.auth.needsSetup && !demoMode) {
      const why = 'The program has no key: set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN'
      throw await this.#refused('setup_required', 400, why)
    }
    const prompt = greeting(request)
    requireLength(prompt)
    this.#starting = true
    try {
      const opening = await this.propose(
        'user_session_start',
        {
          demoMode,
          hasPreviousTranscript: isGiven(request.previousTranscript),
          hasArtifactCatalog: isGiven(request.artifactCatalog),
        },
        as,
      )
      const id = nextSessionId(await this.#parts.documents.all(), this.#parts.now())
      const isOpen = await this.#begin({ id, resume: null, demoMode })
      if (!isOpen) throw failed('Cannot start the program that plays the team')
      const ask = { kind: 'greeting', prompt }
      const text = 'Begin the session'
      await this.propose('user_message', { text, speakerName: 'Human', targetAgent: null, ask }, as)
      return { sessionId: id, eventId: opening.seq }
    } finally {
      this.#starting = false
    }
  }

  /** @throws {@link ProblemError} 409 without a session */
  async end(as: Proposer): Promise<void> {
    const { session } = await this.#fresh()
    if (!session) throw noSession()
    await this.propose('user_session_end', {}, as)
    await this.#stop('user_ended')
  }

  /**
   * Appends what a person asks of the team. What cannot be taken now leaves no record.
   *
   * @throws {@link ProblemError} 409 without a session, 429 when too many messages wait
   */
  async ask(type: string, data: unknown, as: Proposer): Promise<LogRecord> {
    const refusal = requireRoom(await this.#fresh())
    if (refusal) throw refusalProblem(refusal)
    return this.propose(type, data, as)
  }

  /**
   * Appends an act of a person; a message is written to the program after those before it.
   *
   * @throws {@link ProblemError} 409 without a session, 429 when too many messages wait
   */
  async propose(type: string, data: unknown, as: Proposer): Promise<LogRecord> {
    const event = { type, data, ...(as.id === undefined ? {} : { id: as.id }) }
    const origin = {
      source: 'ui',
      surface: 'team',
      ...(as.actor === undefined ? {} : { actor: as.actor }),
    } as const
    const { answers, snapshot } = await this.#parts.opened.propose(TEAM_THREAD, [event], {
      as: origin,
    })
    this.#state = snapshot.state
    const [answer] = answers
    if (!answer) throw failed('Cannot record this')
    if (answer.refusal) throw refusalProblem(answer.refusal)
    void this.#life?.deliver()
    return answer.record
  }

  /** Ends what the program does now; its session goes on. */
  async interrupt(): Promise<void> {
    if (!this.#life) throw noSession()
    await this.#life.program.interrupt()
  }

  /** @throws {@link ProblemError} 409 where it was not asked so, or cannot be allowed */
  async answerPermission(answer: PermissionAnswer, as: Proposer): Promise<void> {
    requireShown(await this.#fresh(), answer)
    await this.propose('permission_answered', answer, as)
    await this.#life?.answer(answer)
  }

  /** Ends the session on record, to be resumed by the next process. */
  async close(): Promise<void> {
    this.#isClosing = true
    // A life that has just begun is stopped too.
    while (this.#life) {
      await this.#stop('server_shutdown')
      await this.#restarting
    }
    await this.#running
    await this.#restarting
    if (this.#life) await this.close()
  }

  async #stop(reason: Payload<'session_end'>['reason']): Promise<void> {
    this.#ending = reason
    await this.#life?.program.stop()
    await this.#running
    // The program may have ended by itself, and be waiting for its restart.
    if ((await this.#fresh()).session) await this.#system('session_end', { exitCode: null, reason })
    this.#ending = undefined
  }

  get #isStopping(): boolean {
    return this.#isClosing || this.#ending !== undefined
  }

  /** Starts the program. Answers whether it runs. */
  async #begin(beginning: Beginning): Promise<boolean> {
    const { id, resume, demoMode, orphan } = beginning
    const { programs } = this.#parts
    const program = await this.#tryOpen({
      demoMode,
      ...(resume === null ? {} : { resume }),
      ...(orphan === undefined ? {} : { orphan }),
    })
    if (program) {
      const { pid = 0 } = program
      await this.#system('session_start', { sessionId: id, pid, model: programs.model, demoMode })
      const artifacts = Object.keys(this.#state.artifacts)
      const usesModel = !demoMode && programs.model !== SCRIPTED_MODEL
      const life = new Life(program, { ...this.#parts, artifacts, usesModel })
      this.#life = life
      this.#running = this.#live(life, beginning)
      void life.deliver()
      return true
    }
    return resume === null ? false : this.#beginAnew(beginning)
  }

  /** The conversation cannot be resumed: its open message is not repeated. */
  async #beginAnew(beginning: Beginning): Promise<boolean> {
    const { waiting } = await this.#fresh()
    const message = 'The conversation cannot be resumed: a new one begins'
    const answers = waiting.slice(0, 1).map(({ id }) => id)
    await this.#system('server_error', { message, code: 'process_exited', answers })
    return this.#begin({ ...beginning, resume: null })
  }

  async #tryOpen(wish: ProgramWish) {
    try {
      const program = await this.#parts.programs.open(wish)
      await program.ready
      return program
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const data = { message: `Cannot start the program: ${why}`, code: 'process_exited' }
      await this.#system('server_error', data)
      return undefined
    }
  }

  async #live(life: Life, { id, demoMode }: Beginning): Promise<void> {
    await life.run()
    const exit = await life.program.exited
    this.#life = undefined
    this.#crashes = life.turns > 0 ? 0 : this.#crashes + 1
    await this.#recordExit(exit, life.underWay)
    if (this.#isStopping || exit.reason === 'inactivity_timeout') return
    if (this.#crashes >= CRASHES_MAX) return
    await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS * (this.#crashes + 1)))
    const { resumable } = await this.#fresh()
    if (this.#isStopping || resumable?.id !== id) return
    const resume = resumable.claudeSessionId
    // Not awaited, because the next process outlives this one.
    this.#restarting = this.#begin({ id, resume, demoMode }).catch(this.#parts.onFault)
  }

  async #recordExit(
    { reason, code, stderr }: ProgramExit,
    underWay: string | undefined,
  ): Promise<void> {
    if (this.#ending !== undefined) {
      await this.#system('session_end', { exitCode: code, reason: this.#ending })
      return
    }
    if (reason === 'turn_timeout') await this.#recordTimeout(underWay)
    if (reason === 'inactivity_timeout') {
      await this.#system('server_error', { message: 'Nobody used the team', code: reason })
      await this.#system('session_end', { exitCode: code, reason })
      return
    }
    const said = stderr.trim().split('\n').at(-1)?.slice(0, 500) ?? ''
    const message = `The program ended${said === '' ? '' : `: ${said}`}`
    await this.#system('server_error', { message, code: 'process_exited' })
    await this.#system('session_end', { exitCode: code, reason: 'process_crash' })
  }

  async #recordTimeout(underWay: string | undefined): Promise<void> {
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }
    const answers = underWay === undefined ? [] : [underWay]
    const timedOut = {
      subtype: 'timeout',
      numTurns: 0,
      costUsd: null,
      usage,
      resultText: '',
      answers,
    }
    await this.#system('claude_result', timedOut)
    await this.#system('server_error', { message: 'The turn took too long', code: 'turn_timeout' })
  }

  async #refused(
    code: 'session_conflict' | 'setup_required',
    status: 400 | 409,
    detail: string,
  ): Promise<ProblemError> {
    await this.#system('server_error', { message: detail, code })
    return new ProblemError(code, status, { detail })
  }

  async #system(type: string, data: object): Promise<void> {
    const commit = await this.#parts.opened.propose(TEAM_THREAD, [{ type, data }], {
      as: { source: 'system' },
    })
    this.#state = commit.snapshot.state
  }

  async #fresh(): Promise<TeamState> {
    const { state } = await this.#parts.opened.gate.snapshot(TEAM_THREAD)
    this.#state = state
    return state
  }
}

/** The sender of a request, and the id of its record. */
export interface Proposer {
  readonly actor?: string | undefined
  readonly id?: string | undefined
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) || typeof value === 'string' ? value.length > 0 : value != null
}
