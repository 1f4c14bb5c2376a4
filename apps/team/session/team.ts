import { evolve, membersOf } from 'throughline'
import type { Lease } from 'throughline/log'
import type { LogRecord } from 'throughline'
import { ProblemError } from 'throughline/server'
import {
  INITIAL_STATE,
  TEAM_THREAD,
  flatEvent,
  requireEndable,
  requireGoingOn,
  requireRoom,
  requireRule,
  teamDomain,
  withBudget,
} from '../events/index.ts'
import type {
  BudgetGiven,
  Payload,
  PermissionAnswer,
  StandingRule,
  TeamEvent,
  TeamEventType,
  TeamState,
} from '../events/index.ts'
import { HOW_TO_SIGN_IN } from '../reader/index.ts'
import { SessionHolder } from './holder.ts'
import type { HolderParts } from './holder.ts'
import {
  failed,
  noRule,
  noSession,
  notSetAside,
  refusalProblem,
  requireLength,
} from './problems.ts'
import type { Act } from './act.ts'
import { shownBudget } from './budget.ts'
import { permissionActs } from './permission-acts.ts'
import { memoryOf } from './memory.ts'
import type { GivenMemory } from './memory.ts'
import { greeting } from './prompt-text.ts'
import type { Auth } from './sign-in.ts'
import { SCRIPTED_MODEL } from './program.ts'

/** How long a request waits for the server that holds the session to act on it. */
export const SESSION_ANSWER_MAX_MS = 45_000

export interface StartRequest extends GivenMemory {
  readonly demoMode?: boolean | undefined
  readonly budget?: BudgetGiven | undefined
}

export interface TeamParts extends Omit<HolderParts, 'lease'> {
  readonly demoMode: boolean
  /** Asks the program how it is signed in. */
  readonly askAuth: () => Promise<Auth>
}

/**
 * The team as one server knows it. People's requests are records; the one server that holds the lease of the
 * team's thread acts on them, and runs the program.
 */
export class Team {
  readonly #parts: TeamParts
  readonly #closing = new AbortController()
  #holder: SessionHolder | undefined
  /** Followed from the log, so that it is known on every server. */
  #state: TeamState = INITIAL_STATE
  #seq = -1
  #following: Promise<void> = Promise.resolve()
  #holding: Promise<void> = Promise.resolve()

  constructor(parts: TeamParts) {
    this.#parts = parts
  }

  /** The team's part of `/api/health`. */
  get health() {
    const { session } = this.#state
    const { needsSetup, authMethod } = this.#state.auth ?? this.#parts.auth
    return {
      sessionActive: session !== null,
      sessionId: session?.id ?? null,
      needsSetup,
      authMethod,
      isScripted: this.#parts.programs.model === SCRIPTED_MODEL,
    }
  }

  /** Goes on with the session that the last server left open, unless another server holds it. */
  async recover(): Promise<void> {
    const { opened, log, onFault } = this.#parts
    const { gate } = opened
    const { seq, state } = await gate.untilRecorded(TEAM_THREAD, () => gate.snapshot(TEAM_THREAD))
    this.#seq = seq
    this.#state = state
    this.#following = this.#follow().catch(onFault)
    const lease = await gate.untilRecorded(TEAM_THREAD, () => log.leases.acquire(TEAM_THREAD))
    const recovered = lease && this.#begin(lease)
    this.#holding = this.#hold(recovered?.ended).catch(onFault)
    await recovered?.isReady
  }

  /**
   * @throws {@link ProblemError} 409 with a session open, 400 where the program is not set up or the greeting
   *   too long
   */
  async start(
    request: StartRequest,
    as: Proposer,
  ): Promise<{ sessionId: string; eventId: number }> {
    const { session, starting, auth } = await this.#fresh()
    if (session || starting) {
      throw await this.#refused('session_conflict', 409, 'A session is open')
    }
    const demoMode = request.demoMode === true || this.#parts.demoMode
    if ((auth ?? this.#parts.auth).needsSetup && !demoMode) await this.#requireSignIn()
    const memory = await memoryOf(request, this.#parts.documents)
    const prompt = greeting(memory)
    requireLength(prompt)
    const opening = await this.propose(
      'user_session_start',
      {
        demoMode,
        hasPreviousTranscript: memory.transcripts !== '',
        hasArtifactCatalog: memory.catalogue !== '',
        ...(request.budget && { budget: request.budget }),
      },
      as,
    )
    const started = await this.#answerTo(opening, (event) => event.type === 'session_start')
    if (!started) throw failed('Cannot start the program that plays the team')
    await this.#greet(prompt)
    return { sessionId: started.sessionId ?? '', eventId: opening.seq }
  }

  /** @throws {@link ProblemError} 409 where no session is open, being started, or to be gone on with */
  async end(as: Proposer): Promise<void> {
    if (requireEndable(await this.#fresh())) throw noSession()
    const asked = await this.propose('user_session_end', {}, as)
    await this.#answerTo(asked, (event) => event.type === 'session_end')
  }

  /**
   * Appends what a person asks of the team. What cannot be taken now leaves no record.
   *
   * @throws {@link ProblemError} 409 without a session, 429 when too many messages wait
   */
  async ask(type: string, data: unknown, as: Proposer): Promise<LogRecord> {
    const refusal = requireRoom(await this.#fresh())
    if (refusal?.refused === 'precondition') throw noSession()
    if (refusal) throw refusalProblem(refusal)
    return this.propose(type, data, as)
  }

  /**
   * Appends an act of a person, which the holder of the session then does.
   *
   * @throws {@link ProblemError} 409 without a session, 429 when too many messages wait
   */
  async propose(type: string, data: unknown, as: Proposer): Promise<LogRecord> {
    return this.#proposeAll([{ type, data, ...(as.id === undefined ? {} : { id: as.id }) }], as)
  }

  /** Appends acts of a person in one go, and returns the record of the last. */
  async #proposeAll(acts: readonly Act[], { actor }: Proposer): Promise<LogRecord> {
    const origin = {
      source: 'ui',
      surface: 'team',
      ...(actor === undefined ? {} : { actor }),
    } as const
    const { opened } = this.#parts
    const { answers } = await opened.propose(TEAM_THREAD, acts, { as: origin })
    const refusal = answers.find((answer) => answer.refusal)?.refusal
    if (refusal) throw refusalProblem(refusal)
    const last = answers.at(-1)
    if (!last) throw failed('Cannot record this')
    return last.record
  }

  /** Sends a message that was set aside again, as a new one, or drops it. */
  async settle(message: string, act: 'send_again' | 'drop', as: Proposer): Promise<LogRecord> {
    const { setAside } = await this.#fresh()
    const record = await this.#parts.log.find(TEAM_THREAD, message)
    if (!record || !setAside.includes(message)) throw notSetAside()
    if (act === 'drop') return this.propose('message_dropped', { message }, as)
    return this.ask(record.type, { ...membersOf(record.data), again: message }, as)
  }

  /** Ends what the program does now; its session goes on. */
  async interrupt(as: Proposer): Promise<void> {
    if (!(await this.#fresh()).session) throw noSession()
    await this.propose('interrupt_asked', {}, as)
  }

  /**
   * Records a person's answer, and the rule that one makes which holds always.
   *
   * @throws {@link ProblemError} 409 where it was not asked so, or cannot be allowed; 429 with too many rules
   */
  async answerPermission({ answer, ruleId }: GivenAnswer, as: Proposer): Promise<void> {
    await this.#proposeAll(permissionActs(await this.#fresh(), answer, ruleId), as)
  }

  /** What the session may spend, and has spent. */
  async budget() {
    return shownBudget((await this.#fresh()).budget)
  }

  /** @throws {@link ProblemError} 409 without a session */
  async setBudget(given: BudgetGiven, as: Proposer) {
    const state = await this.#fresh()
    if (requireGoingOn(state)) throw noSession()
    await this.propose('budget_set', withBudget(given, state.budget.budget), as)
    return this.budget()
  }

  /** The calls that people have allowed for good, the oldest first. */
  async rules(): Promise<readonly StandingRule[]> {
    return (await this.#fresh()).rules
  }

  /** @throws {@link ProblemError} 404 where no such rule stands */
  async removeRule(id: string, as: Proposer): Promise<void> {
    if (requireRule(await this.#fresh(), id)) throw noRule()
    await this.propose('permission_rule_removed', { id }, as)
  }

  /** Ends the session on record, to be resumed by another server or the next start. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#holder?.close()
    await this.#holding
    await this.#following
  }

  /** Holds the session again and again: when the holder before has ended, or has lost its lease. */
  async #hold(first: Promise<void> | undefined): Promise<void> {
    await first
    const { opened, log } = this.#parts
    const { gate } = opened
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        const lease = await gate.untilRecorded(TEAM_THREAD, async () => {
          await log.leases.freed(TEAM_THREAD, signal)
          return log.leases.acquire(TEAM_THREAD)
        })
        // Closed meanwhile: nobody would end this holder.
        if (signal.aborted) await lease?.release()
        // Without a lease, another server was faster.
        else if (lease) await this.#begin(lease).ended
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }

  #begin(lease: Lease) {
    const holder = new SessionHolder({ ...this.#parts, lease })
    this.#holder = holder
    return { ended: this.#release(holder, lease), isReady: holder.isReady }
  }

  async #release(holder: SessionHolder, lease: Lease): Promise<void> {
    try {
      await holder.ended
    } finally {
      this.#holder = undefined
      await lease.release()
    }
  }

  async #follow(): Promise<void> {
    const { opened, log } = this.#parts
    const { signal } = this.#closing
    await opened.gate.untilRecorded(TEAM_THREAD, async () => {
      const following = log.subscribe(TEAM_THREAD, { after: this.#seq })
      const stop = (): void => {
        following.return?.().catch(this.#parts.onFault)
      }
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
      try {
        for await (const records of following) for (const record of records) this.#take(record)
      } finally {
        signal.removeEventListener('abort', stop)
      }
    })
  }

  #take(record: LogRecord): void {
    this.#seq = record.seq
    if (FOLDED.has(record.type)) this.#state = evolve(teamDomain, this.#state, record)
    this.#holder?.act(record)
  }

  /** The event by which the holder does what a record asks; undefined where it cannot, or nobody answers. */
  async #answerTo(
    asked: LogRecord,
    does: (event: TeamEvent) => boolean,
  ): Promise<TeamEvent | undefined> {
    const records = this.#parts.log.subscribe(TEAM_THREAD, { after: asked.seq })
    const timer = setTimeout(() => {
      records.return?.().catch(this.#parts.onFault)
    }, SESSION_ANSWER_MAX_MS)
    try {
      for await (const batch of records) {
        const events = batch.flatMap((record) => flatEvent(record) ?? [])
        const answer = events.find((event) => does(event) || saysNo(event, asked.id))
        if (answer) return does(answer) ? answer : undefined
      }
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  /** Nobody says this: the server asks for it. */
  async #greet(prompt: string): Promise<void> {
    const ask = { kind: 'greeting', prompt } as const
    const data = { text: 'Begin the session', speakerName: 'System', targetAgent: null, ask }
    const refusal = await this.#system('user_message', data)
    if (refusal) throw refusalProblem(refusal)
  }

  /** A person may have signed the program in since it was last known. */
  async #requireSignIn(): Promise<void> {
    const auth = await this.#parts.askAuth()
    if (auth.needsSetup) {
      const why = `The program is not signed in. ${HOW_TO_SIGN_IN}`
      throw await this.#refused('setup_required', 400, why)
    }
    await this.#system('auth_state', auth)
  }

  async #refused(
    code: 'session_conflict' | 'setup_required',
    status: 400 | 409,
    detail: string,
  ): Promise<ProblemError> {
    await this.#system('server_error', { message: detail, code })
    return new ProblemError(code, status, { detail })
  }

  async #system<Type extends TeamEventType>(type: Type, data: Payload<Type>) {
    const { opened } = this.#parts
    const as = { source: 'system' } as const
    const { answers } = await opened.propose(TEAM_THREAD, [{ type, data }], { as })
    return answers[0]?.refusal
  }

  async #fresh(): Promise<TeamState> {
    return (await this.#parts.opened.gate.snapshot(TEAM_THREAD)).state
  }
}

function saysNo(event: TeamEvent, asked: string): boolean {
  return event.type === 'server_error' && (event.answers ?? []).includes(asked)
}

/** The records that change what `health` shows. */
const FOLDED: ReadonlySet<string> = new Set(['auth_state', 'session_start', 'session_end'])

interface GivenAnswer {
  readonly answer: PermissionAnswer
  /** A fresh UUID, for the rule that it may make. */
  readonly ruleId: string
}

/** The sender of a request, and the id of its record. */
export interface Proposer {
  readonly actor?: string | undefined
  readonly id?: string | undefined
}
