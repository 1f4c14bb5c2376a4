import { reconcile } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { LogError } from '../log/index.ts'
import type { AppendOptions, LogRecord, NewEvent, Sha256 } from '../log/index.ts'
import { NewestMap, ThreadCache } from '../thread/index.ts'
import type { Snapshot, ThreadCacheParts } from '../thread/index.ts'
import {
  answerOf,
  fenceOf,
  isNew,
  openOf,
  requireActivity,
  requireHead,
  requireNothingNew,
  stamped,
  startOver,
} from './commit.ts'
import type { Commit, CommitOptions, DecidedCommit, PendingCommit } from './commit.ts'
import { identify } from './identify.ts'
import type { Identified, Proposed } from './identify.ts'
import {
  openingOf,
  recordsOfRequest,
  requireOwnOpening,
  requireSameRequest,
} from './keyed-request.ts'
import type { KeyedRequest } from './keyed-request.ts'
import { marked } from './mark.ts'
import { plan } from './plan.ts'
import type { GateProposal } from './plan.ts'
import { Retries } from './retries.ts'
import { ThreadQueue } from './thread-queue.ts'

/** How often a commit starts over because another writer was faster. */
export const COMMIT_RETRIES_MAX = 8

/** Threads that a gate remembers as its own; it asks again about older ones. */
const ADMITTED_MAX = 10_000

export interface GateParts<State> extends ThreadCacheParts<State> {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly id: () => string
  readonly sha256: Sha256
  /** Learns of what cannot be recorded now and is tried again. */
  readonly onFault?: (error: unknown, thread: string) => void
  /** Throws unless this gate may write to a thread that holds records; absent where it owns all threads. */
  readonly admit?: (thread: string) => Promise<void>
}

/**
 * The one way into a thread. Proposals are decided on the state as it is when they are appended, in
 * one batch with what the rules derive from them; commits of a thread happen one after the other.
 */
export class Gate<State> {
  readonly domain: Domain<State>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly #parts: GateParts<State>
  readonly #cache: ThreadCache<State>
  readonly #queue = new ThreadQueue()
  readonly #retries = new Retries()
  readonly #admitted = new NewestMap<true>(ADMITTED_MAX)

  constructor(parts: GateParts<State>) {
    this.#parts = parts
    this.domain = parts.domain
    this.now = parts.now
    this.#cache = new ThreadCache(parts)
  }

  /**
   * Decides the proposals in order and appends their events, refusals included, in one batch with
   * the events of the rules, `before` and `after`. Without proposals, the rules still run.
   *
   * A proposal whose id the thread already holds is answered with its stored record. One without an id
   * gets a fresh one.
   *
   * A request whose key the thread already holds is answered with the records of its first commit.
   *
   * The first append of a thread expects it to be empty, so the log decides who opens it.
   *
   * @throws {@link LogError} `version_conflict` when `expectedVersion` is not the head,
   *   {@link GateError} `key_reused` when the key came with another digest
   */
  commit(
    thread: string,
    proposals: readonly Proposed[],
    options: CommitOptions<State> = {},
  ): Promise<Commit<State>> {
    const identified = identify(proposals, options, this.#parts.id)
    const pending: PendingCommit<State> = {}
    const work = async (): Promise<Commit<State>> => {
      for (let attempt = 0; attempt < COMMIT_RETRIES_MAX; attempt++) {
        const done = await this.#tryCommit(thread, identified, { ...options, pending })
        if (done) return done
      }
      throw new LogError('busy', `Cannot commit to "${thread}": other writers were always faster`)
    }
    return this.#inTurn(thread, work, options)
  }

  /** Appends agent activity. Domain events do not come this way: they are committed. */
  append(
    thread: string,
    events: readonly NewEvent[],
    options: Pick<CommitOptions, 'fence' | 'mustRecord'> = {},
  ): Promise<readonly LogRecord[]> {
    requireActivity(this.domain, events)
    const named = options.mustRecord ? this.#named(events) : events
    const work = async (): Promise<readonly LogRecord[]> => {
      // A needless tick here would delay every append.
      const isOwn = !this.#parts.admit || this.#admitted.has(thread)
      const opening = isOwn ? {} : await this.#openingOf(thread)
      const under = { ...fenceOf(options), ...opening }
      const records = await this.#parts.log.append(thread, named, under)
      this.#admitted.set(thread, true)
      const absorbed = this.#cache.absorb(thread, records)
      if (absorbed instanceof Promise) await absorbed
      return records
    }
    return this.#inTurn(thread, work, options)
  }

  /** Commits, appends and other work that failed and wait for their next try. */
  get unrecorded(): number {
    return this.#retries.waiting
  }

  /** Does work of its own until it succeeds, as a commit that must be recorded is. */
  untilRecorded<Result>(thread: string, work: () => Promise<Result>): Promise<Result> {
    const { onFault } = this.#parts
    return this.#retries.run(work, onFault && ((error) => onFault(error, thread)))
  }

  /** From now on nothing is tried again: the process is about to end. */
  endRetries(): void {
    this.#retries.end()
  }

  /** The thread folded up to its head. */
  snapshot(thread: string): Promise<Snapshot<State>> {
    return this.#queue.run(thread, () => this.#cache.fresh(thread))
  }

  /**
   * The thread as this gate knows it, at once: with its own records; records that others have written
   * since may be missing. For a caller that has just appended.
   */
  latest(thread: string): Snapshot<State> | Promise<Snapshot<State>> {
    return this.#cache.latest(thread) ?? this.snapshot(thread)
  }

  /**
   * The state as it was at `at`, or now; now, it shows also what today's rules would still derive.
   * Never appends.
   *
   * @throws {@link LogError} `too_large` when more than `eventsMax` records would have to be folded
   */
  async state(
    thread: string,
    at?: number,
    eventsMax: number = Number.POSITIVE_INFINITY,
  ): Promise<{ seq: number; state: State }> {
    if (at !== undefined) return this.#cache.stateAt(thread, at, eventsMax)
    const { snapshot, state } = await this.current(thread)
    return { seq: snapshot.seq, state }
  }

  /**
   * Folds a thread again from its first record, and drops its cached state and snapshot if they differ.
   * Returns whether they were equal.
   */
  async verifyFold(thread: string): Promise<boolean> {
    const isSame = await this.#cache.verifyFold(thread, await this.snapshot(thread))
    if (!isSame) await this.forget(thread)
    return isSame
  }

  /** Drops what is kept of a thread in memory: the next use folds it again from its records. */
  forget(thread: string): Promise<void> {
    return this.#queue.run(thread, async () => this.#cache.forget(thread))
  }

  /** The thread as it is, and its state with what today's rules would still derive. Never appends. */
  async current(thread: string): Promise<{ snapshot: Snapshot<State>; state: State }> {
    const snapshot = await this.snapshot(thread)
    // Rules are for states that are whole.
    if (snapshot.isErased) return { snapshot, state: snapshot.state }
    const { now, id } = this.#parts
    const options = { now: now(), id, pass: 'derive' } as const
    return { snapshot, state: reconcile(this.domain, snapshot.state, options).state }
  }

  /** A pause between two tries is not spent in the thread's queue, so that others may go on. */
  #inTurn<Result>(
    thread: string,
    work: () => Promise<Result>,
    { mustRecord = false }: Pick<CommitOptions, 'mustRecord'>,
  ): Promise<Result> {
    const once = (): Promise<Result> => this.#queue.run(thread, work)
    return mustRecord ? this.untilRecorded(thread, once) : once()
  }

  async #tryCommit(
    thread: string,
    proposals: readonly Identified[],
    { pending, ...options }: CommitOptions<State> & { readonly pending: PendingCommit<State> },
  ): Promise<Commit<State> | undefined> {
    const { request } = options
    if (!pending.decided) {
      const newest = this.#newestFor(thread, options, pending)
      const snapshot = newest ?? (await this.#cache.fresh(thread))
      if (this.#mustAdmit(thread, snapshot)) await this.#admit(thread)
      if (snapshot.isErased) requireNothingNew(thread, proposals, options)
      // After the head is known: an append at that head then comes after no other request of this key.
      const repeated = request && (await this.#repeated(thread, proposals, request))
      if (repeated) return repeated
      const known = proposals.length === 0 ? [] : await this.#heldBy(thread, proposals)
      const open = openOf(proposals, known)
      if (isNew(open, proposals, options)) requireHead(thread, snapshot.seq, options)
      const decided = this.#decideOn(snapshot, open, {
        ...options,
        mayBeBehind: newest !== undefined,
      })
      if (!decided) return startOver(pending)
      pending.decided = { known, ...decided }
    }
    const { known, planned, decidedFrom, events, expectedVersion } = pending.decided
    const records = await this.#appendAt(thread, events, { expectedVersion, ...fenceOf(options) })
    if (!records) return startOver(pending)
    requireOwnOpening(records, request)
    const derivedFrom = decidedFrom + planned.decided.length
    const decided = new Map(
      records.slice(decidedFrom, derivedFrom).map((record) => [record.id, record]),
    )
    const absorbing = this.#cache.absorb(thread, records)
    const absorbed = absorbing instanceof Promise ? await absorbing : absorbing
    return {
      answers: proposals.map(({ id }, index) => answerOf(known[index] ?? decided.get(id))),
      derived: records.slice(derivedFrom, derivedFrom + planned.derived.length),
      fired: planned.fired,
      records,
      head: absorbed.seq,
      snapshot: absorbed,
    }
  }

  /**
   * The newest fold, which under a lease is nearly always that of the head: the append finds out whether it
   * is, and the next try reads the head.
   */
  #newestFor(
    thread: string,
    { fence, request, expectedVersion }: CommitOptions<State>,
    { readsHead = false }: PendingCommit<State>,
  ): Snapshot<State> | undefined {
    const needsHead = fence === undefined || request || expectedVersion !== undefined
    return readsHead || needsHead ? undefined : this.#cache.latest(thread)
  }

  /** Returns nothing where what a fold that may be behind gives does not count. */
  #decideOn(
    snapshot: Snapshot<State>,
    open: readonly GateProposal[],
    { mayBeBehind, ...options }: CommitOptions<State> & { readonly mayBeBehind: boolean },
  ): Omit<DecidedCommit<State>, 'known'> | undefined {
    try {
      const decided = this.#decide(snapshot, open, options)
      // Nothing to append: no head would be compared.
      return mayBeBehind && decided.events.length === 0 ? undefined : decided
    } catch (error) {
      if (!mayBeBehind) throw error
      return undefined
    }
  }

  #decide(
    snapshot: Snapshot<State>,
    open: readonly GateProposal[],
    options: CommitOptions<State>,
  ): Omit<DecidedCommit<State>, 'known'> {
    const { now, id, sha256 } = this.#parts
    const { typed = false, pass = 'derive', request, before = [], mustRecord = false } = options
    options.check?.(snapshot)
    const ts = now()
    const planned = plan(this.domain, snapshot, {
      proposals: open,
      now: ts,
      id,
      sha256,
      typed,
      pass,
    })
    const after = options.after?.(planned, snapshot) ?? []
    requireActivity(this.domain, before)
    requireActivity(this.domain, after)
    const decisions = marked([...planned.decided, ...planned.derived], { typed, pass })
    const batch = [...before, ...decisions, ...after]
    const opening = openingOf(request, batch.length)
    const events = stamped([...opening, ...batch], ts)
    return {
      planned,
      decidedFrom: opening.length + before.length,
      events: mustRecord ? this.#named(events) : events,
      expectedVersion: snapshot.seq,
    }
  }

  /** Events with ids of their own: appended again, they are stored once. */
  #named(events: readonly NewEvent[]): readonly NewEvent[] {
    return events.map((event) =>
      event.id === undefined ? { ...event, id: this.#parts.id() } : event,
    )
  }

  #mustAdmit(thread: string, { seq }: Snapshot<State>): boolean {
    return seq >= 0 && this.#parts.admit !== undefined && !this.#admitted.has(thread)
  }

  async #admit(thread: string): Promise<void> {
    await this.#parts.admit?.(thread)
    this.#admitted.set(thread, true)
  }

  /**
   * An append that opens a thread counts only where the thread is still empty; rejects when another application
   * has opened it.
   */
  async #openingOf(thread: string): Promise<Pick<AppendOptions, 'expectedVersion'>> {
    const snapshot = await this.#cache.fresh(thread)
    if (this.#mustAdmit(thread, snapshot)) await this.#admit(thread)
    return snapshot.seq < 0 ? { expectedVersion: snapshot.seq } : {}
  }

  /** Returns the result of the first request with this key; undefined when the key is new. */
  async #repeated(
    thread: string,
    proposals: readonly Identified[],
    { id: requestId, digest }: KeyedRequest,
  ): Promise<Commit<State> | undefined> {
    const { log } = this.#parts
    const first = await log.find(thread, requestId)
    if (!first) return undefined
    requireSameRequest(first, digest)
    const held = await this.#heldBy(thread, proposals)
    const answered = new Set(proposals.map(({ id }) => id))
    const limit = recordsOfRequest(first)
    const records = [first]
    for await (const batch of log.read(thread, { after: first.seq, limit })) records.push(...batch)
    const derived = records.filter(({ id, origin }) => origin.rule && !answered.has(id))
    return {
      answers: held.map(answerOf),
      derived,
      fired: derived.flatMap(({ origin }) => origin.rule ?? []),
      records,
      head: first.seq + limit,
      snapshot: await this.#cache.fresh(thread),
    }
  }

  /** The records that the thread holds under the proposals' ids, in their order. */
  #heldBy(
    thread: string,
    proposals: readonly Identified[],
  ): Promise<readonly (LogRecord | undefined)[]> {
    const { log } = this.#parts
    const found = proposals.map(({ id, idFrom }) =>
      idFrom === 'gate' ? NOT_HELD : log.find(thread, id),
    )
    return Promise.all(found)
  }

  async #appendAt(
    thread: string,
    events: readonly NewEvent[],
    options: AppendOptions,
  ): Promise<readonly LogRecord[] | undefined> {
    if (events.length === 0) return []
    try {
      const records = await this.#parts.log.append(thread, events, options)
      this.#admitted.set(thread, true)
      return records
    } catch (error) {
      // Another writer came first: the caller decides again on the new state.
      if (error instanceof LogError && error.code === 'version_conflict') return undefined
      throw error
    }
  }
}

const NOT_HELD = Promise.resolve(undefined)
