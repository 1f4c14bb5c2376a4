import { LogError } from '../../log/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { Connection, Connector, Row, Statement } from './connection.ts'
import { isConnectionLoss } from './postgres-error.ts'

/** Connections of one pool: with the writer and the listener a process has fewer than 10. */
export const POOL_CONNECTIONS_MAX = 6
/** Queries that may wait for a connection of the pool. */
export const POOL_WAITS_MAX = 50_000

/**
 * How long a statement waits for a connection, in milliseconds: with a connection that is made meanwhile it
 * is refused within the time that a statement may take.
 */
export const POOL_WAIT_MAX_MS = 4_000
/** A connection that was cut while it was idle fails sooner than this, in milliseconds. */
const CUT_WHILE_IDLE_MS = 1_000

interface Waiting {
  readonly give: (connection: Connection) => unknown
  readonly fail: (error: unknown) => unknown
}

/**
 * Connections for statements and transactions, each of which needs one of them only while it runs. The pool
 * of the driver knows one address; this one asks the connector, which finds the host that takes writes.
 */
export class ConnectionPool {
  readonly #connector: Connector
  readonly #max: number
  readonly #idle: Connection[] = []
  readonly #waiting = new Set<Waiting>()
  #open = 0
  #isClosed = false

  constructor(connector: Connector, max = POOL_CONNECTIONS_MAX) {
    this.#connector = connector
    this.#max = max
  }

  /**
   * Asks again once where a connection was lost at once: it may have been cut while it was idle. Only for
   * statements that may be done twice.
   */
  async query(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]> {
    const from = performance.now()
    try {
      return await this.once(statement, values)
    } catch (error) {
      const isLate = performance.now() - from > CUT_WHILE_IDLE_MS
      if (!isConnectionLoss(error) || isLate || this.#isClosed) throw error
      return this.once(statement, values)
    }
  }

  once(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.lend((connection) => connection.query(statement, values))
  }

  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.lend((connection) => connection.transaction(() => work(connection)))
  }

  /** Gives the work a connection for itself, until it is done. */
  async lend<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#take()
    try {
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { fail } of this.#waiting) fail(isClosed())
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()))
  }

  /** @throws what the database was last reached with, or `unavailable` where no connection comes free in time */
  async #take(): Promise<Connection> {
    if (this.#isClosed) throw isClosed()
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isLost) return idle
      this.#open--
    }
    if (this.#waiting.size >= POOL_WAITS_MAX) {
      throw new LogError('busy', `Cannot ask the database: ${POOL_WAITS_MAX} wait; try again later`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    // Who leaves is forgotten at once: a connection that it was given would be lost.
    const waiting: Waiting = {
      give: (connection) => this.#waiting.delete(waiting) && resolve(connection),
      fail: (error) => this.#waiting.delete(waiting) && reject(error),
    }
    const timer = setTimeout(() => waiting.fail(noneCame()), POOL_WAIT_MAX_MS)
    this.#waiting.add(waiting)
    this.#connectMore()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Connects for those who wait. What one attempt fails with is the answer to all of them. */
  #connectMore(): void {
    if (this.#open >= this.#max) return
    this.#open++
    this.#connector.connect().then(
      (connection) => this.#giveBack(connection),
      (error: unknown) => {
        this.#open--
        for (const { fail } of this.#waiting) fail(error)
      },
    )
  }

  #giveBack(connection: Connection): void {
    if (this.#isClosed) return inBackground(connection.close())
    if (connection.isLost) {
      this.#open--
      if (this.#waiting.size > 0) this.#connectMore()
      return
    }
    const [next] = this.#waiting
    if (next) next.give(connection)
    else this.#idle.push(connection)
  }
}

function isClosed(): LogError {
  return new LogError('closed', 'Cannot ask the database: the log is closed')
}

function noneCame(): LogError {
  const why = `no connection came free within ${POOL_WAIT_MAX_MS} ms; try again later`
  return new LogError('unavailable', `Cannot ask the database: ${why}`)
}
