import type { Duplex } from 'node:stream'
import type { Client, CustomTypesConfig, Notification } from 'pg'
import { LogError } from '../../log/index.ts'
import { isConnectionLoss } from './postgres-error.ts'
import type { PostgresAddress } from './postgres-url.ts'

/** A statement that answers later than this counts as lost, and its connection is destroyed. */
export const ANSWER_WAIT_MAX_MS = 5_000
/** A server that has not closed a connection after this long does not answer: it is cut from here. */
const CLOSE_WAIT_MAX_MS = 1_000
/** How long one host may take to accept a connection. */
const CONNECT_WAIT_MAX_MS = 2_000
/** A lock that others hold is waited for less long than an answer: then the refusal is certain. */
const LOCK_WAIT_MAX_MS = 4_000
/** After this long the database ends a transaction whose process has stopped. */
const IDLE_TRANSACTION_MAX_MS = 4_500

export interface Statement {
  /** Names it for the connection, which plans it once. */
  readonly name: string
  readonly text: string
}

export type Row = Readonly<Record<string, unknown>>

export function statements<Name extends string>(
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>> {
  const named = Object.entries(texts).map(([name, text]) => [name, { name, text }])
  // It has the same keys.
  return Object.fromEntries(named) as Record<Name, Statement>
}

export const BEGIN: Statement = { name: 'begin', text: 'BEGIN' }
export const COMMIT: Statement = { name: 'commit', text: 'COMMIT' }
export const ROLLBACK: Statement = { name: 'rollback', text: 'ROLLBACK' }

/** One connection to the server that takes writes. */
export class Connection {
  readonly #client: Client
  readonly #prepares: boolean
  #isLost = false

  constructor(client: Client, { prepares }: { readonly prepares: boolean }) {
    this.#client = client
    this.#prepares = prepares
    const lose = (): void => {
      this.#isLost = true
    }
    client.on('error', lose)
    client.on('end', lose)
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** A query without an answer destroys the connection: whatever it is doing must not be answered later. */
  async query({ name, text }: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      const named = this.#prepares ? { name } : {}
      const { rows } = await this.#client.query<Row>({ ...named, text, values: [...values] })
      return rows
    } catch (error) {
      if (isConnectionLoss(error)) this.destroy()
      throw error
    }
  }

  /** Does all of the work or nothing of it. Without an answer to its commit it may have been done. */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.query(BEGIN)
    try {
      const result = await work()
      await this.query(COMMIT)
      return result
    } catch (error) {
      if (!this.#isLost) await this.query(ROLLBACK)
      throw error
    }
  }

  onNotice(hear: (notice: Notification) => void): void {
    this.#client.on('notification', hear)
  }

  onEnd(act: () => void): void {
    this.#client.once('end', act)
  }

  async close(): Promise<void> {
    if (this.#isLost) return
    const timer = setTimeout(() => this.#cut(), CLOSE_WAIT_MAX_MS)
    await this.#client.end()
    clearTimeout(timer)
  }

  destroy(): void {
    this.#isLost = true
    // What the socket reports from now on is expected.
    this.#client.end().catch(() => undefined)
    this.#cut()
  }

  /** The driver has no word for it, and waits for the server without end. */
  #cut(): void {
    const { connection } = this.#client as unknown as { connection: { stream: Duplex } }
    connection.stream.destroy()
  }
}

/** Opens connections to the first host that takes writes. */
export class Connector {
  readonly #address: PostgresAddress

  constructor(address: PostgresAddress) {
    this.#address = address
  }

  /** @throws what the last host that was tried failed with */
  async connect(): Promise<Connection> {
    let failure: unknown
    for (const host of this.#address.hosts) {
      try {
        return await this.#connectTo(host)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  async #connectTo(connectionString: string): Promise<Connection> {
    // Loaded only here: who keeps a log elsewhere needs no driver.
    const pg = await import('pg')
    const isPooled = this.#address.wakeUps === 'poll'
    const client = new pg.default.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_WAIT_MAX_MS,
      query_timeout: ANSWER_WAIT_MAX_MS,
      keepAlive: true,
      types: TYPES,
      // A pooler between us and the database may refuse settings that it does not know.
      ...(isPooled ? {} : SESSION_SETTINGS),
    })
    const connection = new Connection(client, { prepares: !isPooled })
    try {
      await client.connect()
      await this.#requirePrimary(connection)
      return connection
    } catch (error) {
      connection.destroy()
      throw error
    }
  }

  async #requirePrimary(connection: Connection): Promise<void> {
    if (this.#address.hosts.length === 1) return
    const [row] = await connection.query(IN_RECOVERY)
    if (row?.['is_standby'] !== true) return
    // Another host, or this one, may take writes soon.
    throw new LogError(
      'unavailable',
      `Cannot use a host of ${this.#address.shown}: it is a standby`,
    )
  }
}

const IN_RECOVERY = { name: 'in_recovery', text: 'SELECT pg_is_in_recovery() AS is_standby' }

const SESSION_SETTINGS = {
  application_name: 'throughline',
  lock_timeout: LOCK_WAIT_MAX_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MAX_MS,
}

const INT8 = 20
const asText = (value: string): unknown => value

/** Whole numbers as numbers, truth values as such, and all else as its text. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number) => {
    if (oid === INT8 || oid === 23) return Number
    return oid === 16 ? (value: string) => value === 't' : asText
  },
}
