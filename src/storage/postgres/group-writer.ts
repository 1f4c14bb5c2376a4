import { LogError, fencedOff, unseal } from '../../log/index.ts'
import type { LogRecord, Target } from '../../log/index.ts'
import type { QueuedAppend } from '../commit/append-queue.ts'
import { placeAsNew, placeOrRefuse } from '../commit/drafted-append.ts'
import type { Outcome } from '../commit/drafted-append.ts'
import { HeadCache } from '../heads/head-cache.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import { BEGIN, COMMIT, ROLLBACK } from './connection.ts'
import type { Connection } from './connection.ts'
import { GroupDraft } from './group-draft.ts'
import type { KnownHead, ThreadHead } from './group-draft.ts'
import { SQL, valuesOf, valuesOfOne, valuesOfSeveral } from './group-statements.ts'
import type { Fence } from './group-statements.ts'
import { isUniqueViolation } from './postgres-error.ts'
import { headOf } from './postgres-reader.ts'
import type { NamedHead } from '../heads/heads-lines.ts'
import type { HeadsOutside } from './heads-outside.ts'
import type { HeadSigner } from './signed-head.ts'

export interface Stored {
  /** One for each append. */
  readonly outcomes: readonly Outcome[]
  readonly moved: readonly ThreadHead[]
}

/** One try to store a group over one connection. */
export interface Attempt {
  readonly connection: Connection
  /** Called before what may store the group is sent: without an answer it is in doubt from then on. */
  readonly storing: () => void
}

export interface GroupWriterParts {
  readonly signer: HeadSigner
  readonly headsOutside: HeadsOutside | undefined
  readonly now: () => number
}

/**
 * Stores groups of appends, each whole or not at all: in one statement where all heads are as this
 * process knows them, else in a transaction that locks the threads first.
 */
export class GroupWriter {
  readonly #parts: GroupWriterParts
  readonly #heads = new HeadCache<KnownHead>()

  constructor(parts: GroupWriterParts) {
    this.#parts = parts
  }

  /** Remembers a head that was read; heads only rise. */
  learn(thread: string, head: KnownHead): void {
    if (head.seq >= (this.#heads.get(thread)?.seq ?? 0)) this.#heads.set(thread, head)
  }

  /** @throws an error of the database; then nothing is stored, unless the connection was lost */
  async store(group: readonly QueuedAppend[], attempt: Attempt): Promise<Stored> {
    const stored =
      (await this.#compareAndAppend(group, attempt)) ?? (await this.#lockAndAppend(group, attempt))
    for (const { thread, number, seq, hash, adopted } of stored.moved) {
      this.#heads.set(thread, { number, seq, hash, ...(adopted && { adopted }) })
    }
    return stored
  }

  /** Undefined, with nothing stored, when a head, a fence or an id is not as it was taken to be. */
  async #compareAndAppend(
    group: readonly QueuedAppend[],
    { connection, storing }: Attempt,
  ): Promise<Stored | undefined> {
    const draft = new GroupDraft()
    const outcomes = this.#placeOnKnown(group, draft)
    if (!outcomes) return undefined
    const moved = draft.moved()
    const before = moved.flatMap(({ thread }) => draft.before(thread) ?? [])
    const rows = draft.rows(this.#parts.signer, this.#parts.now())
    const fences = fencesOf(group)
    const [only] = before
    storing()
    try {
      const [row] =
        only && before.length === 1 && fences.length <= 1
          ? await connection.query(
              SQL.compare_and_append_to_one,
              valuesOfOne(rows, only, fences[0]),
            )
          : await connection.query(SQL.compare_and_append, valuesOfSeveral(rows, before, fences))
      return row?.['is_fit'] === true ? { outcomes, moved } : undefined
    } catch (error) {
      if (isUniqueViolation(error)) return undefined
      throw error
    }
  }

  /** Places the group as if its threads held none of its ids. */
  #placeOnKnown(group: readonly QueuedAppend[], draft: GroupDraft): readonly Outcome[] | undefined {
    const outcomes: Outcome[] = []
    for (const append of group) {
      const { thread, expectedVersion } = append
      const known = this.#heads.get(thread)
      const head = draft.head(thread) ?? (known && draft.begin({ thread, ...known }))
      if (!head || (expectedVersion !== null && expectedVersion !== head.seq)) return undefined
      const placed = placeAsNew(append, head)
      if (!draft.add(head, placed.fresh)) return undefined
      outcomes.push(placed)
    }
    return outcomes
  }

  async #lockAndAppend(
    group: readonly QueuedAppend[],
    { connection, storing }: Attempt,
  ): Promise<Stored> {
    await connection.query(BEGIN)
    try {
      const threads = await this.#lockThreads(connection, group)
      const held = await findHeld(connection, group, threads)
      const current = await lockLeases(connection, group)
      const draft = new GroupDraft()
      for (const head of threads.values()) draft.begin(head)
      const outcomes = group.map((append) => {
        return refusalOf(append, current) ?? this.#place(append, draft, held)
      })
      const moved = draft.moved()
      if (moved.length === 0) {
        await connection.query(ROLLBACK)
        for (const { thread, ...head } of threads.values()) this.learn(thread, head)
        return { outcomes, moved }
      }
      const empty = [...threads.values()].filter(({ thread }) => draft.head(thread)?.seq === -1)
      await connection.query(SQL.append, [
        ...valuesOf(draft.rows(this.#parts.signer, this.#parts.now())),
        empty.map(({ number }) => number),
      ])
      storing()
      await connection.query(COMMIT)
      return { outcomes, moved }
    } catch (error) {
      if (!connection.isLost) await connection.query(ROLLBACK)
      throw error
    }
  }

  async #lockThreads(
    connection: Connection,
    group: readonly QueuedAppend[],
  ): Promise<ReadonlyMap<string, ThreadHead>> {
    const names = [...new Set(group.map(({ thread }) => thread))]
    const unknown = names.filter((name) => this.#heads.get(name) === undefined)
    if (unknown.length > 0) await connection.query(SQL.add_threads, [unknown])
    const rows = await connection.query(SQL.lock_threads, [names])
    const heads = rows.map(headOf)
    const forged = heads.find((head) => !this.#parts.signer.accepts(head))
    if (forged) throw notOurs(forged.thread)
    const missing = await this.#parts.headsOutside?.firstMissing(names, connection)
    if (missing) throw goneBack(missing)
    return new Map(heads.map((head) => [head.thread, head]))
  }

  #place(append: QueuedAppend, draft: GroupDraft, held: ReadonlyMap<string, LogRecord>): Outcome {
    const { thread } = append
    const head = draft.head(thread)
    if (!head) return new LogError('corrupt', `Cannot append to "${thread}": its row has gone`)
    const own = new Map<string, LogRecord>()
    const target: Target = {
      thread,
      head,
      find: (id) => own.get(id) ?? draft.find(head, id) ?? held.get(keyOf(head.number, id)),
      insert: ({ record }) => {
        if (target.find(record.id)) return false
        own.set(record.id, record)
        return true
      },
    }
    const outcome = placeOrRefuse(append, target)
    if (!(outcome instanceof LogError)) draft.add(head, outcome.fresh)
    return outcome
  }
}

/** Each lease and fence that the group appends under: two fences of one lease cannot both be current. */
function fencesOf(group: readonly QueuedAppend[]): readonly Fence[] {
  const fences = new Map<string, Fence>()
  for (const { thread, fence } of group) {
    if (fence !== undefined) fences.set(`${fence} ${thread}`, { thread, fence })
  }
  return [...fences.values()]
}

async function findHeld(
  connection: Connection,
  group: readonly QueuedAppend[],
  threads: ReadonlyMap<string, ThreadHead>,
): Promise<ReadonlyMap<string, LogRecord>> {
  const asked = group.flatMap(({ thread, drafts }) => {
    const { number = -1, seq = -1 } = threads.get(thread) ?? {}
    // A thread that holds nothing holds none of the ids.
    return seq === -1 ? [] : drafts.map(({ event }) => ({ number, id: event.id }))
  })
  if (asked.length === 0) return new Map()
  const rows = await connection.query(SQL.find_held, [
    asked.map(({ number }) => number),
    asked.map(({ id }) => id),
  ])
  return new Map(
    rows.map(({ thread, id, body, hash }) => [
      keyOf(wholeOf(thread), textOf(id)),
      unseal(textOf(body), textOf(hash)),
    ]),
  )
}

/** The current fences of the threads that the group appends to under a lease. */
async function lockLeases(
  connection: Connection,
  group: readonly QueuedAppend[],
): Promise<ReadonlyMap<string, number>> {
  const names = group.filter(({ fence }) => fence !== undefined).map(({ thread }) => thread)
  if (names.length === 0) return new Map()
  const rows = await connection.query(SQL.lock_leases, [[...new Set(names)]])
  return new Map(rows.map(({ name, fence }) => [textOf(name), wholeOf(fence)]))
}

function refusalOf(
  { thread, fence }: QueuedAppend,
  current: ReadonlyMap<string, number>,
): LogError | undefined {
  if (fence === undefined || current.get(thread) === fence) return undefined
  return fencedOff(thread, fence)
}

function keyOf(number: number, id: string): string {
  return `${number} ${id}`
}

function goneBack([thread, { seq }]: NamedHead): LogError {
  const why =
    `it does not hold the record ${seq} that this server's heads file names: the database has gone back; ` +
    'stop the servers and restore the newest one'
  return new LogError('corrupt', `Cannot append to "${thread}": ${why}`)
}

function notOurs(thread: string): LogError {
  const why = 'its head was written by somebody who does not have the secret'
  return new LogError('corrupt', `Cannot append to "${thread}": ${why}`)
}
