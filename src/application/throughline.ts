import { OpenWork, Runs, requireEvents, resumeBy, warnOfFault } from '../agents/index.ts'
import type { CancelRequest, ResumeRequest } from '../agents/index.ts'
import { Gate } from '../gate/index.ts'
import { Holdings } from '../log/index.ts'
import type { Cursors, EventLog, LogRecord, Moved, Verification } from '../log/index.ts'
import { AppendObservers, FOLDS_VERSION } from '../thread/index.ts'
import { ApplicationError, noAgent, notErasable, unknownThread } from './app-error.ts'
import { AppLogs } from './app-logs.ts'
import type { ExportedRecord } from './app-logs.ts'
import type { AppTypes, TurnIn } from './app-types.ts'
import type { App } from './define-app.ts'
import { openErasures } from './erasures.ts'
import type { Erasures } from './erasures.ts'
import { checkFold } from './fold-check.ts'
import { reportOnce } from './fault-reports.ts'
import { requireProposer, requireResume, requireTurn } from './front-door.ts'
import { keepSchemas } from './kept-schemas.ts'
import { sealingApps } from './keys-note.ts'
import { OpenedApp } from './opened-app.ts'
import type { Acting, ProposalAnswer, ProposedEvent, Proposer, TurnOf } from './opened-app.ts'
import { Owners, requireDistinct } from './owners.ts'
import { loadOf } from './process-load.ts'
import type { ProcessLoad } from './process-load.ts'
import { ThreadList } from './thread-list.ts'
import type { LookAt, LookedAt, ThreadsPage } from './thread-list.ts'
import type { ThroughlineParts } from './throughline-parts.ts'
import { unknownApp } from './threads-query.ts'
import type { QueryOf, ThreadsCountQuery } from './threads-query.ts'
import type { EraseRequest, LeftOfThread } from './thread-erasure.ts'
import type { ThreadWait } from '../activity/index.ts'
import type { WaitsOf, WaitsPage, WaitsQuery } from './waits.ts'

/** How long running turns may take to end on close, in milliseconds. */
export const CLOSE_GRACE_MS = 5_000

/** The applications that work in one log, as a program uses them. */
export class Throughline<Types extends AppTypes = AppTypes> {
  readonly log: EventLog
  readonly apps: readonly OpenedApp[]
  /** The positions of the feed's consumers, stored beside the log. */
  readonly cursors: Cursors | undefined
  /** Of all applications, in this process. */
  readonly appends = new AppendObservers()
  readonly #parts: ThroughlineParts
  readonly #owners: Owners
  readonly #work: OpenWork
  readonly #list: ThreadList
  readonly #logs: AppLogs
  readonly #erasures: Erasures | undefined
  readonly #onFault: NonNullable<ThroughlineParts['onFault']>

  /**
   * Ends runs that a crash left open, and resumes effects and deadlines that are due.
   *
   * @throws {@link ApplicationError} `ambiguous_app`, `schema_changed`, {@link AgentError} `invalid_agent`,
   *   {@link DefinitionError} `missing_runner`, `invalid_runner`
   */
  static async start<Types extends AppTypes>(parts: ThroughlineParts): Promise<Throughline<Types>> {
    const throughline = new Throughline<Types>(parts, await sealingApps(parts))
    await throughline.#keepSchemas()
    await throughline.#erasures?.start()
    await throughline.#work.recover()
    throughline.#work.follow()
    throughline.#list.start()
    throughline.#erasures?.follow()
    return throughline
  }

  private constructor(parts: ThroughlineParts, sealing: ReadonlySet<string>) {
    const { cursors, now } = parts
    const onFault = reportOnce(parts.onFault ?? warnOfFault, now)
    const apps = parts.apps as readonly App[]
    this.#parts = parts
    this.#logs = new AppLogs({ ...parts, apps, sealing, onFault })
    const log = (this.log = this.#logs.log)
    this.cursors = cursors
    this.#onFault = onFault
    requireDistinct(apps)
    const holdings = parts.holdings ?? new Holdings(log.leases)
    this.apps = apps.map((app) => this.#openApp(app, { ...parts, holdings, onFault }))
    this.#owners = new Owners(log, this.apps)
    const runsOf = async (thread: string) => (await this.ownerOf(thread))?.runs
    const ownerOf = (thread: string) => this.ownerOf(thread)
    this.#list = new ThreadList({ ...parts, log, apps: this.apps, ownerOf, onFault })
    this.#erasures = openErasures({
      ...parts,
      ring: this.#logs.ring,
      sealing,
      apps: this.apps,
      scrubIndex: () => this.#list.scrub(),
      ownerOf,
      onFault,
    })
    this.#work = new OpenWork({
      log,
      cursors,
      version: [FOLDS_VERSION, ...apps.map(({ workVersion }) => workVersion)].join(' '),
      now,
      dueAt: async (thread) => (await runsOf(thread))?.dueAt(thread),
      recover: async (thread) => (await runsOf(thread))?.recover(thread),
      moved: async (thread) => (await runsOf(thread))?.catchUp(thread),
      takeUp: async (thread, dueAt) => (await runsOf(thread))?.wakeAt(thread, dueAt),
      // A thread that cannot be read must not stop the recovery of the others.
      onFault,
    })
  }

  /**
   * One application, by its name or definition.
   *
   * @throws {@link ApplicationError} `unknown_app`
   */
  app<Of = unknown>(named: string | App<Of>): OpenedApp<Of> {
    const name = typeof named === 'string' ? named : named.name
    const found = this.apps.find((each) => each.name === name)
    // It was opened with the definition of this name.
    if (found) return found as unknown as OpenedApp<Of>
    throw unknownApp(name, this.apps)
  }

  /** The application that a thread belongs to by how it began; nothing while it is empty. */
  ownerOf(thread: string): Promise<OpenedApp | undefined> {
    return this.#owners.of(thread)
  }

  /** The application whose thread an event of this type, of this agent, would open. */
  openedBy(type: string, agent?: string): OpenedApp | undefined {
    return this.#owners.openedBy(type, agent)
  }

  /** Resolves once the runs that a crash left open in a thread have ended. */
  recovered(thread: string): Promise<void> {
    return this.#work.recovered(thread)
  }

  /**
   * Starts a turn of an agent. Its events can be iterated live; `result` resolves when it has ended. A turn of an
   * unknown agent that nothing awaits or iterates is an unhandled rejection.
   *
   * @throws {@link AgentError} `invalid_request` for what is no request, {@link ApplicationError} `unknown_app`
   */
  turn<Name extends Types['agent']>(
    thread: string,
    request: TurnOf<Types, Name>,
  ): TurnIn<Types, Name> {
    requireTurn(request)
    const asked = this.apps.find(({ app }) => app.agents.some(({ name }) => name === request.agent))
    // An unknown agent rejects the turn as `unknown_agent`.
    const owner = asked ?? this.#only
    if (!owner) throw noAgent(request.agent)
    return owner.runs.start(thread, request) as TurnIn<Types, Name>
  }

  /**
   * Resumes a turn that stopped to ask a person.
   *
   * @throws {@link AgentError} `invalid_request` for what is no request
   */
  resume(thread: string, request: ResumeRequest): TurnIn<Types> {
    requireResume(request)
    const { log, id } = this.#parts
    const turn = this.#only
      ? this.#only.runs.resume(thread, request)
      : resumeBy(this.#runsOf(thread), { log, thread, id }, request)
    return turn as TurnIn<Types>
  }

  /** Cancels what runs in a thread, or one run and all below it; resolves with whether there was any. */
  async cancel(thread: string, run?: string | CancelRequest): Promise<boolean> {
    const request = typeof run === 'object' ? run : run === undefined ? {} : { run }
    const runs = await this.#runsOf(thread)
    return runs.cancel(thread, request)
  }

  /** Leaves earlier messages out of what agents are given in a thread; the log keeps them. */
  async reset(thread: string): Promise<void> {
    const runs = await this.#runsOf(thread)
    await runs.resetHistory(thread)
  }

  /** Proposes events as a person: the gate decides each, and the rules follow. */
  propose(
    thread: string,
    events: readonly ProposedEvent<Types['proposal']>[],
  ): Promise<ProposalAnswer<Types['state']>> {
    return this.as({ source: 'ui' }).propose(thread, events)
  }

  /** Acts as a person or a system, such as a webhook's sender or a job. */
  as(proposer: Proposer): Acting<Types> {
    requireProposer(proposer)
    return {
      propose: async (thread, events) => {
        requireEvents('propose', events)
        const proposed = events.map(({ id, type, data }) => ({ id, type, data }))
        const owner = await this.#ownerOrOpenedBy(thread, proposed[0]?.type)
        const done = await owner.propose(thread, proposed, { as: proposer })
        return done as ProposalAnswer<Types['state']>
      },
    }
  }

  /**
   * The state as it was at a seq, or as it is now, with what today’s rules would still derive.
   *
   * @throws {@link ApplicationError} `unknown_thread` while the thread is empty
   */
  async state(
    thread: string,
    at?: number,
  ): Promise<{ readonly seq: number; readonly state: Types['state'] }> {
    const { gate } = await this.#ownerOrOnly(thread)
    const { seq, state } = await gate.state(thread, at)
    if (seq < 0) throw unknownThread(`Cannot read the state of thread "${thread}": it is empty`)
    return { seq, state }
  }

  /**
   * Lists threads, the one that moved last first, or by the value that `orderBy` names, with everything
   * appended before the call. A thread that moves between two pages goes to its new place; the pages lose no
   * other.
   *
   * @throws {@link ApplicationError} `unknown_app`; `invalid_query` for a name that is not declared, a value
   *   or limit that cannot be, and an `after` of an index that has begun anew since
   */
  threads(query: QueryOf<Types> = {}): Promise<ThreadsPage> {
    return this.#list.list(query)
  }

  /**
   * Counts threads, with everything appended before the call.
   *
   * @throws {@link ApplicationError} `unknown_app`, `invalid_query`
   */
  countThreads(query: ThreadsCountQuery<QueryOf<Types>> = {}): Promise<number> {
    return this.#list.count(query)
  }

  /**
   * Looks at the threads of that list one after another, with what a function makes of each for its reader; at
   * a bounded number of them.
   */
  walkThreads<Shown>(query: QueryOf<Types>, look: LookAt<Shown>): AsyncIterable<LookedAt<Shown>> {
    return this.#list.walk(query, look)
  }

  /**
   * Lists what waits for a person, over all threads, with everything appended before the call: approvals and
   * questions, without the tools of pages. `limit` and `next` count threads, the one that moved last first.
   *
   * @throws {@link ApplicationError} `unknown_app`, `unknown_role`, `invalid_query`
   */
  async waits({ role, actor, ...query }: WaitsOf<Types> = {}): Promise<WaitsPage> {
    const isKnown = role === undefined || this.apps.some((app) => app.hasRole(role))
    if (!isKnown)
      throw new ApplicationError(
        'unknown_role',
        `Cannot list what waits for "${role}": no application has this role`,
      )
    const person = actor === undefined ? { isAnyone: true as const } : { actor }
    const who = role === undefined ? undefined : { role, surface: role, ...person }
    return this.waitsOf(query, async (thread, owner) => owner.waits(thread, who))
  }

  /** The same, of what a function gives of each thread and its application. */
  async waitsOf(
    query: Omit<WaitsQuery, 'role' | 'actor'>,
    waitsIn: (thread: string, owner: OpenedApp) => Promise<readonly ThreadWait[]>,
  ): Promise<WaitsPage> {
    const { threads, ...rest } = await this.#list.waiting(query)
    const waits: ThreadWait[] = []
    for (const { thread } of threads) {
      const owner = await this.ownerOf(thread)
      if (owner) waits.push(...(await waitsIn(thread, owner)))
    }
    return { waits, ...rest }
  }

  /** Differs once threads have moved, in this process or another that uses the store. */
  position(): Promise<string> {
    return this.#list.position()
  }

  subscribe(
    thread: string,
    from?: { readonly after?: number },
  ): AsyncIterableIterator<readonly LogRecord[]> {
    return this.log.subscribe(thread, from)
  }

  /** The records of a thread as they are read, with what is stored of each: an export holds both. */
  exported(thread: string): AsyncIterable<readonly ExportedRecord[]> {
    return this.#logs.exported(thread)
  }

  /** Which threads moved, in an order that skips none; begins after a position that it gave. */
  feed(from?: { readonly after?: string }): AsyncIterableIterator<readonly Moved[]> {
    return this.log.feed(from)
  }

  /**
   * Erases the person of a thread for ever: destroys the key of what is personal in it. Its records stay, with
   * what is not personal, and their hashes hold. Erased again it answers with the first erasure.
   *
   * @throws {@link ApplicationError} `not_erasable`, `unknown_thread`, {@link LogError} as appending does
   */
  erase(thread: string, request: EraseRequest): Promise<LeftOfThread> {
    return this.#erasures?.erase(thread, request) ?? Promise.reject(notErasable(thread))
  }

  /**
   * Calls a function for each thread whose person this process erases, or hears to be erased, once its records
   * cannot be opened any more: what shows them drops what it keeps. Returns a function that takes the call back.
   */
  onErased(act: (thread: string) => void): () => void {
    return this.#erasures?.onErased(act) ?? (() => undefined)
  }

  /**
   * Verifies the records of a thread. Of a sound one it also folds the state anew: where the state that was kept
   * differs, it is replaced, and `onFault` gets a fault.
   */
  async verify(thread: string): Promise<Verification> {
    const verdict = await this.log.verify(thread)
    if (verdict.ok) await checkFold(thread, await this.ownerOf(thread), this.#onFault)
    return verdict
  }

  /**
   * Resolves once no effect runs in this process and all deadlines that have passed were looked at. Turns are
   * not waited for, nor effects and deadlines whose time has not come. For tests that move a `ManualClock`.
   */
  async settled(): Promise<void> {
    await this.#work.takenUp()
    await Promise.all(this.apps.map(({ runs }) => runs.settled()))
  }

  /** What this process has still to do. */
  get load(): ProcessLoad {
    return loadOf(this.#work, this.apps)
  }

  /** What the store could not record yet: it is tried again until it is recorded. */
  get unrecorded(): number {
    return this.apps.reduce((sum, { gate }) => sum + gate.unrecorded, 0)
  }

  /** Starts nothing new, and waits up to `graceMs` for running turns to end; reading goes on. */
  async drain(graceMs: number = CLOSE_GRACE_MS): Promise<void> {
    this.#work.stop()
    await Promise.all([
      this.#erasures?.stop(),
      this.#list.stop(),
      ...this.apps.map(({ runs }) => runs.drain(graceMs)),
    ])
    await this.#work.close()
  }

  /** Drains, and closes the log that was opened here. */
  async close(graceMs: number = CLOSE_GRACE_MS): Promise<void> {
    try {
      await this.drain(graceMs)
    } finally {
      await this.#parts.close?.()
    }
  }

  /** Before anything is recorded under them. */
  #keepSchemas(): Promise<void> {
    const apps = this.apps.map(({ app }) => app)
    return keepSchemas({ log: this.log, apps, onFault: this.#onFault })
  }

  #openApp(
    app: App,
    {
      snapshots,
      ...parts
    }: ThroughlineParts & Required<Pick<ThroughlineParts, 'holdings' | 'onFault'>>,
  ): OpenedApp {
    const { domain, agents, effects } = app
    const log = this.#logs.of(app)
    const kept = this.#logs.snapshotsOf(app, snapshots)
    const own = (thread: string) => this.#requireOwn(app, thread)
    const admit = parts.apps.length > 1 ? own : undefined
    const gate = new Gate({
      ...parts,
      log,
      domain,
      appends: this.appends,
      ...(kept && { snapshots: kept }),
      ...(admit && { admit }),
    })
    const runs = new Runs({ ...parts, log, gate, agents, effects, ...(admit && { admit }) })
    return new OpenedApp({ app, gate, runs, log, stored: parts.log })
  }

  async #requireOwn(app: App, thread: string): Promise<void> {
    if (this.apps.length === 1) return
    const owner = await this.ownerOf(thread)
    if (owner ? owner.app !== app : (await this.log.head(thread)) >= 0) {
      const why = 'it belongs to another application'
      throw unknownThread(`Cannot use "${app.name}" in thread "${thread}": ${why}`)
    }
  }

  async #ownerOrOpenedBy(thread: string, type: string | undefined): Promise<OpenedApp> {
    const owner = await this.ownerOf(thread)
    if (owner) return owner
    return (type === undefined ? undefined : this.openedBy(type)) ?? this.#ownerOrOnly(thread)
  }

  async #ownerOrOnly(thread: string): Promise<OpenedApp> {
    const owner = this.#only ?? (await this.ownerOf(thread))
    if (owner) return owner
    const why = 'it began with nothing that opens a thread of an application'
    throw unknownThread(`Cannot use thread "${thread}": ${why}`)
  }

  async #runsOf(thread: string): Promise<Runs<unknown>> {
    return (await this.#ownerOrOnly(thread)).runs
  }

  get #only(): OpenedApp | undefined {
    return this.apps.length === 1 ? this.apps[0] : undefined
  }
}
