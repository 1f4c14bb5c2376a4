import { isDeepStrictEqual } from 'node:util'
import type { Lease } from 'throughline/log'
import type { LogRecord } from 'throughline'
import type { ProgramExit } from 'throughline/server/extend'
import { TEAM_THREAD, WAITING_TYPES } from '../events/index.ts'
import type { Budget, Payload, PermissionAnswer, TeamState } from '../events/index.ts'
import type { Act } from './act.ts'
import { budgetOf } from './budget.ts'
import { Life } from './life.ts'
import type { LifeParts } from './life.ts'
import { programEnded, unansweredOf } from './program-end.ts'
import { nextSessionId } from './session-id.ts'
import type { Auth } from './sign-in.ts'
import { SCRIPTED_MODEL } from './program.ts'
import type { ProgramWish, Programs } from './program.ts'

/** Consecutive ends of the program before it has answered anything, after which the session ends. */
export const CRASHES_MAX = 5
/** Times the consecutive ends of the program, and one. */
export const RESTART_DELAY_MS = 200

export interface HolderParts extends Omit<LifeParts, 'fence'> {
  /** Of the team's thread. */
  readonly lease: Lease
  readonly programs: Programs
  /** What a session may spend, unless its start says it; by default there is no limit. */
  readonly budget?: Budget
  /** How the program was signed in when the server started. */
  readonly auth: Auth
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** `newest`: the log goes with this process, and what waits in it. */
  readonly served: 'all' | 'newest'
}

interface Beginning {
  readonly id: string
  readonly resume: string | null
  readonly demoMode: boolean
  /** The process that played the team before, under another server. */
  readonly orphan?: number
}

type SessionEnd = Payload<'session_end'>
type EndReason = SessionEnd['reason']

/**
 * Runs the program of the team while it holds the lease of the team's thread, and acts on the requests that
 * are on record. Its records carry the fence of the lease, so that no two holders write.
 */
export class SessionHolder {
  readonly #parts: HolderParts
  readonly #life: LifeParts
  readonly #done = Promise.withResolvers<void>()
  /** Starts and ends of the session, one after the other. */
  #work: Promise<unknown>
  #current: Life | undefined
  /** Why the program is being stopped; absent while it should run. */
  #ending: EndReason | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosing = false
  #crashes = 0
  /** Resolves once the session that was left open goes on. */
  readonly isReady: Promise<void>

  constructor(parts: HolderParts) {
    this.#parts = parts
    this.#life = { ...parts, fence: parts.lease.fence }
    this.isReady = this.#recover().catch(this.#fault)
    this.#work = this.isReady
    parts.lease.onEnd(() => {
      this.#isClosing = true
      this.#current?.program.stop().catch(this.#fault)
      this.#settled().then(this.#done.resolve, this.#done.reject)
    })
  }

  /** Resolves once the holder is closed, or has lost its lease, and its program has ended. */
  get ended(): Promise<void> {
    return this.#done.promise
  }

  /** Does what a record asks; the record may be known already. */
  act({ type, data, origin }: LogRecord): void {
    if (type === 'user_session_start') this.#inOrder(() => this.#startAsked())
    else if (type === 'user_session_end') this.#inOrder(() => this.#endAsked())
    else if (WAITING_TYPES.has(type) || type === 'budget_set')
      this.#current?.deliver().catch(this.#fault)
    else if (type === 'interrupt_asked') this.#current?.program.interrupt().catch(this.#fault)
    else if (type === 'permission_answered' && origin.source === 'ui') {
      // Written by the gate, with a payload of its schema.
      this.#current?.answer(data as unknown as PermissionAnswer).catch(this.#fault)
    }
  }

  /** Ends the session on record, to be resumed by the next holder. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#work
    // Without its lease the end is for the next holder to record.
    if (this.#current) await this.#stop('server_shutdown').catch(this.#fault)
    await this.#settled()
    this.#done.resolve()
  }

  async #settled(): Promise<void> {
    await this.#work
    await this.#running
  }

  #inOrder(work: () => Promise<unknown>): void {
    this.#work = this.#work.then(work).catch(this.#fault)
  }

  readonly #fault = (error: unknown): void => {
    // What comes after the lease is another holder's.
    if (!this.#parts.lease.signal.aborted) this.#parts.onFault(error)
  }

  /** Ends on record the session that the last holder left open, and goes on with it. */
  async #recover(): Promise<void> {
    const { documents, auth } = this.#parts
    await this.#allDocuments()
    const state = await this.#fresh()
    const kept = documents.session
    if (!isDeepStrictEqual(state.auth, auth)) await this.#system('auth_state', auth)
    if (kept) await this.#goOn(kept, state)
    await this.#startAsked()
    await this.#endAsked()
  }

  async #goOn(
    kept: NonNullable<HolderParts['documents']['session']>,
    state: TeamState,
  ): Promise<void> {
    // A log in memory is new: what the old one ended with stands at its beginning.
    if (kept.endReason === null || state.resumable === null || state.isEndAsked) {
      const reason = state.isEndAsked ? 'user_ended' : (kept.endReason ?? 'process_crash')
      await this.#recordEnd({ exitCode: null, reason, sessionId: kept.id })
    }
    if (state.isEndAsked) return
    const { id, claudeSessionId: resume, demoMode, pid: orphan } = kept
    await this.#begin({ id, resume, demoMode, orphan })
  }

  async #startAsked(): Promise<void> {
    const { starting, session } = await this.#fresh()
    if (!starting || session || this.#isClosing) return
    this.#crashes = 0
    const id = nextSessionId(await this.#allDocuments(), this.#parts.now())
    await this.#begin({ id, resume: null, demoMode: starting.demoMode })
  }

  async #endAsked(): Promise<void> {
    if (!(await this.#fresh()).isEndAsked) return
    await this.#stop('user_ended')
    // No program ran, so that no end of one is on record.
    const { isEndAsked, resumable } = await this.#fresh()
    if (!isEndAsked) return
    const sessionId = resumable?.id ?? null
    await this.#recordEnd({ exitCode: null, reason: 'user_ended', sessionId })
  }

  async #stop(reason: EndReason): Promise<void> {
    this.#ending = reason
    try {
      await this.#current?.program.stop()
      await this.#running
      // The program may have ended by itself.
      if ((await this.#fresh()).session) await this.#recordEnd({ exitCode: null, reason })
    } finally {
      this.#ending = undefined
    }
  }

  get #isStopping(): boolean {
    return this.#isClosing || this.#ending !== undefined
  }

  async #begin(beginning: Beginning): Promise<void> {
    const { id, resume, demoMode, orphan } = beginning
    const { programs } = this.#parts
    const program = await this.#tryOpen({
      demoMode,
      ...(resume === null ? {} : { resume }),
      ...(orphan === undefined ? {} : { orphan }),
    })
    if (program === undefined) {
      if (resume !== null) await this.#beginAnew(beginning)
      return
    }
    const { pid = 0 } = program
    try {
      const start = { sessionId: id, pid, model: programs.model, demoMode }
      await this.#systemAll([
        { type: 'session_start', data: start },
        ...budgetOf(await this.#fresh(), id, this.#parts.budget),
      ])
    } catch (error) {
      await program.stop()
      throw error
    }
    const { artifacts, auth } = await this.#fresh()
    const usesModel = !demoMode && programs.model !== SCRIPTED_MODEL
    const life = new Life(program, {
      ...this.#life,
      artifacts: Object.keys(artifacts),
      usesModel,
      auth: auth ?? this.#parts.auth,
    })
    this.#current = life
    this.#running = this.#live(life, beginning).catch(this.#fault)
    if (this.#parts.lease.signal.aborted) await program.stop()
    life.deliver().catch(this.#fault)
  }

  /** The conversation cannot be resumed: its open message is not repeated. */
  async #beginAnew(beginning: Beginning): Promise<void> {
    const { waiting } = await this.#fresh()
    const message = 'The conversation cannot be resumed: a new one begins'
    const answers = waiting.slice(0, 1).map(({ id }) => id)
    await this.#system('server_error', { message, code: 'process_exited', answers })
    await this.#begin({ ...beginning, resume: null })
  }

  async #tryOpen(wish: ProgramWish) {
    try {
      const program = await this.#parts.programs.open(wish)
      await program.ready
      return program
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const { starting } = await this.#fresh()
      const answers = starting && wish.resume === undefined ? { answers: [starting.id] } : {}
      const message = `Cannot start the program: ${why}`
      // With a conversation to resume, a new one is tried next.
      const gaveUp = wish.resume === undefined
      await this.#system('server_error', { message, code: 'process_exited', gaveUp, ...answers })
      return undefined
    }
  }

  async #live(life: Life, { id, demoMode }: Beginning): Promise<void> {
    await life.run()
    const exit = await life.program.exited
    this.#current = undefined
    this.#crashes = life.turns > 0 ? 0 : this.#crashes + 1
    await this.#recordExit(exit, life.underWay)
    if (this.#isStopping || exit.reason === 'inactivity_timeout') return
    if (this.#crashes >= CRASHES_MAX) return this.#giveUp()
    await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS * (this.#crashes + 1)))
    // Not awaited, because the next process outlives this one.
    this.#inOrder(() => this.#restart(id, demoMode))
  }

  async #giveUp(): Promise<void> {
    const message = `The program ended ${CRASHES_MAX} times before it answered anything. Start a session to go on.`
    await this.#system('server_error', { message, code: 'process_exited', gaveUp: true })
  }

  /** Unless a person has ended the session, or begun another one, since the program ended. */
  async #restart(id: string, demoMode: boolean): Promise<void> {
    const { resumable } = await this.#fresh()
    if (this.#isStopping || resumable?.id !== id) return
    await this.#begin({ id, resume: resumable.claudeSessionId, demoMode })
  }

  async #recordExit(
    { reason, code, stderr }: ProgramExit,
    underWay: string | undefined,
  ): Promise<void> {
    if (this.#ending !== undefined) {
      await this.#recordEnd({ exitCode: code, reason: this.#ending })
      return
    }
    if (reason === 'turn_timeout') await this.#recordTimeout(underWay)
    if (reason === 'inactivity_timeout') {
      await this.#system('server_error', { message: 'Nobody used the team', code: reason })
      await this.#system('session_end', { exitCode: code, reason })
      return
    }
    const { waiting } = await this.#fresh()
    const message = waiting.find(({ id }) => id === underWay)
    await this.#system('server_error', programEnded(stderr, message))
    await this.#system('session_end', { exitCode: code, reason: 'process_crash' })
  }

  /** Messages that no later program gets are named as lost before. */
  async #recordEnd(end: SessionEnd): Promise<void> {
    const { waiting } = await this.#fresh()
    const isLast =
      end.reason === 'user_ended' ||
      (end.reason === 'server_shutdown' && this.#parts.served === 'newest')
    if (isLast && waiting.length > 0) await this.#system('server_error', unansweredOf(waiting))
    await this.#system('session_end', end)
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

  #system(type: string, data: object): Promise<void> {
    return this.#systemAll([{ type, data }])
  }

  async #systemAll(acts: readonly Act[]): Promise<void> {
    const { opened, lease } = this.#parts
    const origin = { source: 'system', depth: 0 } as const
    const events = acts.map((act) => ({ ...act, origin }))
    await opened.gate.commit(TEAM_THREAD, events, { fence: lease.fence, mustRecord: true })
  }

  /** Waits while the store fails. */
  #allDocuments() {
    const { opened, documents } = this.#parts
    return opened.gate.untilRecorded(TEAM_THREAD, () => documents.heads())
  }

  /** Waits while the store fails. */
  async #fresh(): Promise<TeamState> {
    const { gate } = this.#parts.opened
    const { state } = await gate.untilRecorded(TEAM_THREAD, () => gate.snapshot(TEAM_THREAD))
    return state
  }
}
