import { refusedIn } from '../gate/index.ts'
import type { CommitOptions, Commit, Gate, RefusedProposal } from '../gate/index.ts'
import { OPERATOR } from '../agents/index.ts'
import type { DirectEvent, Runs, TurnRequest } from '../agents/index.ts'
import { recordAt } from '../log/index.ts'
import type { EventLog, LogRecord, Origin } from '../log/index.ts'
import { quotedNames } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { whyNotAnswer } from './answering.ts'
import type { AnsweringRole } from './answering.ts'
import { ApplicationError, callDeclared } from './app-error.ts'
import { CALLER, CALLER_ROLE } from './caller-role.ts'
import { isOpenedBy } from './define-app.ts'
import type { AppTypes } from './app-types.ts'
import type { App } from './define-app.ts'
import { OPERATOR_ROLE } from './role.ts'
import { RoleReading } from './role-reading.ts'
import { redacted, revealed } from './role-view.ts'
import type { Role } from './role.ts'
import { ThreadErasure } from './thread-erasure.ts'
import { TracedStates } from './traced-states.ts'
import { openWaits } from './waits.ts'
import type { ThreadWait } from '../activity/index.ts'
import type { View } from '../faces/index.ts'

/** Records that one read of an earlier state may fold. */
export const STATE_EVENTS_MAX = 100_000
/** How long a reveal on record shows personal data. */
export const REVEAL_MAX_MS = 900_000
/** How far the clock of another server may run ahead. */
const REVEAL_AHEAD_MAX_MS = 60_000

/** An event as a program proposes it. One with an id of its own can be proposed again without a second record. */
export type ProposedEvent<Proposal = AppTypes['proposal']> = Proposal & { readonly id?: string }

/** The request of a turn: a message, events of a person, or both. */
export type TurnOf<Types extends AppTypes, Name extends Types['agent'] = Types['agent']> = Omit<
  TurnRequest,
  'agent' | 'events'
> & {
  readonly agent: Name
  readonly events?: readonly ProposedEvent<Types['proposal']>[]
}

/** The answer to proposals: `records`, `refused` and `state` as a tool and the HTTP route answer too. */
export interface ProposalAnswer<State> extends Commit<State> {
  /** The refused events, in their order. */
  readonly refused: readonly RefusedProposal[]
  /** The state after the events and the rules. */
  readonly state: State
}

/** A person or a system that proposes. */
export interface Acting<Types extends AppTypes> {
  /** The gate decides each event, and the rules follow. */
  propose(
    thread: string,
    events: readonly ProposedEvent<Types['proposal']>[],
  ): Promise<ProposalAnswer<Types['state']>>
}

/** The proposer, which is recorded and by which the domain decides. */
export interface Proposer {
  readonly source: Exclude<Origin['source'], 'model' | 'rule'>
  /** The page or channel that it comes by. */
  readonly surface?: string
  /** The person or system that acted, as an opaque id. */
  readonly actor?: string
}

type OpenedAppParts<State> = Pick<OpenedApp<State>, 'app' | 'gate' | 'runs'> & {
  readonly log: EventLog
  /** The log behind it, as it stores. */
  readonly stored: EventLog
}

/** The record that a request names as its reveal, and who sends the request. */
interface Revealed {
  readonly role: string
  readonly seq: number
  readonly by: Proposer
}

/** One application over a log: its gate, its engine, and what each role may see. */
export class OpenedApp<State = unknown> {
  readonly app: App<State>
  readonly gate: Gate<State>
  readonly runs: Runs<State>
  /** The erasures of its threads. */
  readonly erasure: ThreadErasure<State>
  readonly #log: EventLog
  readonly #traced: TracedStates<State>

  constructor({ app, gate, runs, log, stored }: OpenedAppParts<State>) {
    this.app = app
    this.gate = gate
    this.runs = runs
    this.#log = log
    this.#traced = new TracedStates(log, app.domain)
    const redactedState = async (thread: string): Promise<Json> =>
      (await this.#viewOf('nobody', 'redacted').state(thread)).state
    this.erasure = new ThreadErasure({ app, gate, log: stored, redactedState })
  }

  get name(): string {
    return this.app.name
  }

  /** Whether anybody but the operator may enter its threads. */
  get hasRoles(): boolean {
    return this.app.roles.size > 0
  }

  hasRole(name: string): boolean {
    return this.role(name) !== undefined
  }

  /**
   * Returns a role's declaration; the operator may do everything. Callers have a role where a
   * run of an agent begins a thread.
   */
  role(name: string): Role<State> | undefined {
    const { roles, operatorReads, callerReads, agents } = this.app
    if (name === OPERATOR) return { ...OPERATOR_ROLE, read: operatorReads }
    if (name !== CALLER) return roles.get(name)
    const takesCallers = agents.some((agent) => this.beginsWith(agent.name))
    return takesCallers ? { ...CALLER_ROLE, read: callerReads } : undefined
  }

  /** Drops what this process keeps of a thread: its next use reads the records again. */
  async forget(thread: string): Promise<void> {
    await this.gate.forget(thread)
    this.#traced.forget(thread)
  }

  /** What a role, on its surface, may answer in a thread; without a role, everything that waits. */
  async waits(thread: string, who?: Omit<AnsweringRole, 'answer'>): Promise<readonly ThreadWait[]> {
    const { pauses } = await this.gate.snapshot(thread)
    const declared = who && this.role(who.role)
    if (who && !declared) return []
    const answering = who && { ...who, ...(declared?.answer && { answer: declared.answer }) }
    return openWaits(pauses)
      .filter((asked) => !answering || whyNotAnswer(asked, answering) === undefined)
      .map(({ wait, ...asked }) => ({ ...wait, ...asked, thread, app: this.name }))
  }

  /** When the person of a thread was erased, in milliseconds since the epoch; nothing where they were not. */
  async erasedAt(thread: string): Promise<number | undefined> {
    if (!this.app.erasable || !(await this.gate.snapshot(thread)).isErased) return undefined
    return (await this.erasure.of(thread))?.at
  }

  /** Whether a run of this agent begins a thread of the application. */
  beginsWith(agent: string): boolean {
    const { agents } = this.app
    return agents.some(({ name }) => name === agent) && isOpenedBy(this.app, 'RUN_STARTED', agent)
  }

  /**
   * The threads of this application as a role sees them.
   *
   * @throws {@link ApplicationError} `unknown_role`; the returned function throws `view_failed`
   */
  view(name: string): View {
    const role = this.role(name)
    if (!role) throw unknownRole(this.app, name)
    return this.#viewOf(name, role.read)
  }

  /**
   * The same for as long as a reveal holds that is on record: the time at which it ends, in milliseconds since
   * the epoch, and the view of it. Nothing where the thread holds no such reveal of this actor.
   */
  async revealed(
    thread: string,
    { role: name, seq, by }: Revealed,
  ): Promise<{ readonly view: View; readonly until: number } | undefined> {
    const role = this.role(name)
    const record = role?.reveal === undefined ? undefined : await recordAt(this.#log, thread, seq)
    if (!role || !record || record.type !== role.reveal || !isBy(by, record)) return undefined
    const now = this.gate.now()
    const until = record.ts + REVEAL_MAX_MS
    // A record of a clock that runs ahead must not reveal for longer.
    if (until <= now || until > now + REVEAL_MAX_MS + REVEAL_AHEAD_MAX_MS) return undefined
    return { view: this.#viewOf(`${name} revealed`, revealed(role.read)), until }
  }

  #viewOf(name: string, read: Role<State>['read']): View {
    const reading = new RoleReading(this.app, read)
    const call = <Shown>(what: string, declared: () => Shown): Shown => {
      const subject = () =>
        `Cannot show ${what} to "${name}" of "${this.name}": what the role may see`
      return callDeclared('view_failed', subject, declared)
    }
    const shown = (show: () => Json): Json => call('the state', show)
    const { gate } = this
    const { isUnfiltered } = reading
    const left = this.app.erasable ? new RoleReading(this.app, redacted(read)) : undefined
    const readingOf = async (thread: string, leftReading: RoleReading<State>) =>
      (await gate.snapshot(thread)).isErased ? leftReading : reading
    const othersAt = (by: RoleReading<State>, thread: string, seq: number) =>
      by.isTraced ? this.#traced.at(thread, seq, STATE_EVENTS_MAX) : []
    return {
      key: name,
      isUnfiltered,
      isTraced: reading.isTraced,
      record: (stored) =>
        isUnfiltered ? stored : call(`record ${stored.seq}`, () => reading.record(stored)),
      async state(thread, at) {
        const by = left ? await readingOf(thread, left) : reading
        const { seq, state } = await gate.state(thread, at, STATE_EVENTS_MAX)
        const others = await othersAt(by, thread, seq)
        return { seq, state: shown(() => by.state({ state, others })) }
      },
      async follow(thread, at) {
        const by = left ? await readingOf(thread, left) : reading
        const { state } = await gate.state(thread, at, STATE_EVENTS_MAX)
        const followed = by.follow({ state, others: await othersAt(by, thread, at) })
        return {
          get state() {
            return shown(() => followed.state)
          },
          take: (record) => followed.take(record),
        }
      },
    }
  }

  /**
   * Proposes events: the gate decides each, the rules follow, and what becomes due is done afterwards.
   *
   * @throws {@link LogError} `version_conflict`, {@link GateError} `key_reused`
   */
  async propose(
    thread: string,
    events: readonly DirectEvent[],
    {
      as,
      ...options
    }: { readonly as: Proposer } & Pick<CommitOptions, 'expectedVersion' | 'request'>,
  ): Promise<ProposalAnswer<State>> {
    const { source, surface, actor } = as
    const origin = { source, depth: 0, ...(surface && { surface }), ...(actor && { actor }) }
    const proposals = events.map((event) => ({ ...event, origin }))
    const commit = await this.gate.commit(thread, proposals, options)
    this.runs.wake(thread)
    const types = events.map(({ type }) => type)
    const refused = refusedIn(types, commit.answers)
    return { ...commit, refused, state: commit.snapshot.state }
  }
}

/** Whether a named person proposed a record: one without an actor may be anybody's. */
function isBy({ source, surface, actor }: Proposer, { origin }: LogRecord): boolean {
  const isSame = origin.source === source && origin.surface === surface && origin.actor === actor
  return isSame && actor !== undefined
}

function unknownRole<State>({ name, roles }: App<State>, role: string): ApplicationError {
  const known = quotedNames([...roles.keys(), OPERATOR])
  const message = `Cannot act as "${role}" in "${name}": its roles are ${known}`
  return new ApplicationError('unknown_role', message)
}
