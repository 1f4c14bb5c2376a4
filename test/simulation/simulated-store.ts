import { LiveTail, LogError, MemoryLog } from '../../src/log/index.ts'
import type { AppendOptions, Backend, Feed, LogRecord, NewEvent } from '../../src/log/index.ts'
import { PostgresLeases } from '../../src/storage/postgres/postgres-leases.ts'
import type { Row, Statement } from '../../src/storage/postgres/connection.ts'
import { sha256 } from '../../src/platform/index.ts'
import type { SimulatedProcess, VirtualTime } from './virtual-time.ts'

/** How often a server asks what it was not told, in milliseconds. */
const LOOK_MS = 1_000
const LOST_AFTER_MS = 4_000

interface LeaseRow {
  fence: number
  holder: string | undefined
  expires: number
  isAwaited: boolean
}

/** An append that the database has stored. */
export interface Stored {
  readonly thread: string
  readonly fence: number | undefined
  readonly records: readonly LogRecord[]
}

/** The database that all servers use: the log in memory, and leases that end by its clock. */
export class SimulatedDatabase {
  readonly log: MemoryLog
  readonly time: VirtualTime
  readonly random: () => number
  readonly connections = new Set<SimulatedBackend>()
  readonly stored: Stored[] = []
  /** Until when it has no space, and takes no append. */
  fullUntil = 0
  /** The share of questions and of answers that are lost on the way. */
  losses = 0.01
  readonly #leases = new Map<string, LeaseRow>()
  #fences = 0

  constructor(time: VirtualTime, random: () => number) {
    this.time = time
    this.random = random
    const now = () => time.now
    this.log = new MemoryLog({ hash: sha256, now, id: () => time.uuid() })
  }

  /** @throws {@link LogError} `storage_full`, `fenced`, and as the log does */
  async append(thread: string, events: readonly NewEvent[], options: AppendOptions) {
    const { fence, ...rest } = options
    if (this.time.now < this.fullUntil) {
      throw new LogError('storage_full', `Cannot append to "${thread}": no space is left`)
    }
    const lease = this.#leases.get(thread)
    if (fence !== undefined && events.length > 0) {
      const isCurrent = lease?.fence === fence && lease.holder !== undefined
      if (!isCurrent)
        throw new LogError('fenced', `Cannot append to "${thread}": ${fence} has ended`)
    }
    const head = await this.log.head(thread)
    const records = await this.log.append(thread, events, rest)
    const fresh = records.filter(({ seq }) => seq > head)
    if (fresh.length > 0) {
      this.stored.push({ thread, fence, records: fresh })
      for (const each of this.connections) each.hear(thread, head + fresh.length)
    }
    return records
  }

  /** The statements of the leases. */
  ask({ name }: Statement, values: readonly unknown[]): readonly Row[] {
    const { now } = this.time
    const isHeld = (row: LeaseRow | undefined): row is LeaseRow =>
      row !== undefined && row.holder !== undefined && row.expires > now
    const [first, second, third] = values
    switch (name) {
      case 'acquire_lease': {
        if (isHeld(this.#leases.get(String(first)))) return []
        const fence = ++this.#fences
        const expires = now + Number(third)
        this.#leases.set(String(first), {
          fence,
          holder: String(second),
          expires,
          isAwaited: false,
        })
        return [{ fence }]
      }
      case 'release_lease': {
        const row = this.#leases.get(String(first))
        if (row?.fence !== Number(second)) return []
        row.holder = undefined
        return [{ is_awaited: row.isAwaited }]
      }
      case 'renew_leases': {
        const renewed = [...this.#leases.values()].filter(
          (row) => isHeld(row) && (first as readonly number[]).includes(row.fence),
        )
        for (const row of renewed) row.expires = now + Number(second)
        return renewed.map(({ fence }) => ({ fence }))
      }
      case 'await_leases': {
        const row = this.#leases.get(String(first))
        if (!isHeld(row)) return []
        row.isAwaited = true
        return [{ name: first }]
      }
      case 'held_leases':
        return (first as readonly string[])
          .filter((each) => isHeld(this.#leases.get(each)))
          .map((each) => ({ name: each }))
      default:
        throw new Error(`Cannot ask the simulated database "${name}"`)
    }
  }
}

/** The database as one server reaches it: late, sometimes not at all, and told of other servers' appends late. */
export class SimulatedBackend implements Backend {
  readonly epoch: string
  readonly notes
  readonly leases: PostgresLeases
  readonly tail = new LiveTail()
  readonly feed: Feed
  /** Until when nothing reaches the database, nor comes back. */
  cutOffUntil = 0
  readonly #database: SimulatedDatabase
  readonly #process: SimulatedProcess
  /** Appends arrive in the order of the calls. */
  #arrived = 0

  constructor(database: SimulatedDatabase, process: SimulatedProcess) {
    const { log, connections, time } = database
    this.#database = database
    this.#process = process
    this.epoch = log.epoch
    this.notes = log.notes
    this.feed = { follow: (after) => this.#late(log.feed({ ...(after && { after }) })), close() {} }
    const ask = (statement: Statement, values: readonly unknown[] = []) =>
      this.#ask('unavailable', async () => database.ask(statement, values))
    this.leases = new PostgresLeases({
      pool: { once: ask, query: ask },
      holder: process.name,
      committing: () => undefined,
      released: (name) => {
        for (const other of connections) if (other !== this) other.hearRelease(name)
      },
    })
    connections.add(this)
    const look = (): void => {
      time.after(LOOK_MS, look)
      void this.#look().catch(() => undefined)
    }
    time.as(process, look)
  }

  append(thread: string, events: readonly NewEvent[], options: AppendOptions) {
    const copied = structuredClone(events)
    const refusal = this.leases.refusal(thread, options.fence)
    if (refusal && events.length > 0) return Promise.reject(refusal)
    return this.#ask('in_doubt', () => this.#append(thread, copied, options), 'in order')
  }

  page(thread: string, after: number, limit: number) {
    return this.#ask('unavailable', async () => {
      for await (const batch of this.#database.log.read(thread, { after, limit })) return batch
      return []
    })
  }

  async jsonPage(thread: string, after: number, limit: number) {
    return (await this.page(thread, after, limit)).map((record) => JSON.stringify(record))
  }

  find(thread: string, id: string) {
    return this.#ask('unavailable', () => this.#database.log.find(thread, id))
  }

  head(thread: string) {
    return this.#ask('unavailable', () => this.#database.log.head(thread))
  }

  threads() {
    return this.#ask('unavailable', () => this.#database.log.threads())
  }

  verify(thread: string) {
    return this.#ask('unavailable', () => this.#database.log.verify(thread))
  }

  lost(): readonly string[] {
    return []
  }

  close(): Promise<void> {
    this.cut()
    return this.leases.close()
  }

  /** Nobody tells it anything any more. */
  cut(): void {
    this.#database.connections.delete(this)
  }

  /** A notification that a thread has moved; some are lost. */
  hear(thread: string, head: number): void {
    const { time, random } = this.#database
    if (random() < 0.1) return
    time.after(this.#delay(), () => this.tail.moved(thread, head), this.#process)
  }

  hearRelease(name: string): void {
    const { time } = this.#database
    time.after(this.#delay(), () => this.leases.heardRelease(name), this.#process)
  }

  async #append(thread: string, events: readonly NewEvent[], options: AppendOptions) {
    try {
      return await this.#database.append(thread, events, options)
    } catch (error) {
      const isFenced = error instanceof LogError && error.code === 'fenced'
      if (isFenced) this.leases.lost(thread, options.fence)
      throw error
    }
  }

  async #look(): Promise<void> {
    await this.leases.look()
    for (const thread of this.tail.watched()) this.tail.moved(thread, await this.head(thread))
  }

  /** What the database yields, as late as its connection makes it. */
  #late<Item>(from: AsyncIterableIterator<Item>): AsyncIterableIterator<Item> {
    const late = {
      next: async () => {
        const next = await from.next()
        await this.#database.time.sleep(this.#delay())
        return next
      },
      return: async () => {
        await from.return?.()
        return { done: true as const, value: undefined }
      },
      [Symbol.asyncIterator]: () => late,
    }
    return late
  }

  /**
   * Asks the database. Of the questions that are lost, half are so on the way there, and half on the way
   * back: then they were done.
   */
  #ask<Result>(
    lostAs: 'in_doubt' | 'unavailable',
    work: () => Promise<Result>,
    order: 'in order' | 'in any order' = 'in any order',
  ): Promise<Result> {
    const { time, random } = this.#database
    const from = time.process
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const fails = (): void => {
      const lost = (): void => reject(new LogError(lostAs, 'Cannot ask the database: no answer'))
      time.after(LOST_AFTER_MS * (0.25 + random()), lost, from)
    }
    const isLost = (): boolean => time.now < this.cutOffUntil || random() < this.#database.losses
    let waitMs = this.#delay()
    if (order === 'in order') {
      this.#arrived = Math.max(this.#arrived, time.now + waitMs)
      waitMs = this.#arrived - time.now
    }
    if (isLost()) {
      fails()
      return promise
    }
    time.after(
      waitMs,
      () => {
        const settle = (answer: () => void): void => {
          if (isLost()) fails()
          else time.after(this.#delay(), answer, from)
        }
        work().then(
          (result) => settle(() => resolve(result)),
          (error: unknown) => settle(() => reject(error)),
        )
      },
      null,
    )
    return promise
  }

  #delay(): number {
    const { random } = this.#database
    return random() < 0.05 ? 200 * random() : 1 + 4 * random()
  }
}
