import { LogError } from '../../log/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { Connection, Connector, Row, Statement } from './connection.ts'
import { isConnectionLoss } from './postgres-error.ts'

/** Connections of one pool: with the writer and the listener a process has fewer than 10. */
export const POOL_CONNECTIONS_MAX = 6
/** Queries that may wait for a connection of the pool. */
export const POOL_WAITS_MAX = 50_000

/** Connections for statements and transactions, each of which needs one of them only while it runs. */
export class ConnectionPool {
  readonly #connector: Connector
  readonly #idle: Connection[] = []
  readonly #waiting: ((connection: Connection | undefined) => void)[] = []
  #open = 0
  #isClosed = false

  constructor(connector: Connector) {
    this.#connector = connector
  }

  /**
   * Asks again once where a connection was lost: it may have been cut while it was idle. Only for
   * statements that may be done twice.
   */
  async query(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]> {
    try {
      return await this.once(statement, values)
    } catch (error) {
      if (!isConnectionLoss(error) || this.#isClosed) throw error
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
    for (const wake of this.#waiting.splice(0)) wake(undefined)
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()))
  }

  async #take(): Promise<Connection> {
    for (;;) {
      if (this.#isClosed) throw new LogError('closed', 'Cannot ask the database: the log is closed')
      const idle = this.#idle.pop()
      if (idle && !idle.isLost) return idle
      if (idle) this.#open--
      else if (this.#open < POOL_CONNECTIONS_MAX) return this.#connect()
      else {
        const given = await this.#wait()
        if (given) return given
      }
    }
  }

  async #connect(): Promise<Connection> {
    this.#open++
    try {
      return await this.#connector.connect()
    } catch (error) {
      this.#open--
      this.#waiting.shift()?.(undefined)
      throw error
    }
  }

  #wait(): Promise<Connection | undefined> {
    if (this.#waiting.length >= POOL_WAITS_MAX) {
      throw new LogError('busy', `Cannot ask the database: ${POOL_WAITS_MAX} wait; try again later`)
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #giveBack(connection: Connection): void {
    if (this.#isClosed) return inBackground(connection.close())
    if (connection.isLost) {
      this.#open--
      this.#waiting.shift()?.(undefined)
      return
    }
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#idle.push(connection)
  }
}
