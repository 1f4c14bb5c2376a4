import { setTimeout } from 'node:timers/promises'
import { inBackground, nextTurn } from '../../platform/index.ts'
import { LogError } from '../../log/index.ts'
import { ANSWER_WAIT_MAX_MS } from './connection.ts'
import type { Connection, Connector, Statement } from './connection.ts'
import { POOLER_MEND } from './postgres-error.ts'
import type { ThreadHead } from './group-draft.ts'
import type { WakeUps as WakeUpKind } from './postgres-url.ts'

/** How often a process reads the heads and leases for which it may have missed a notice. */
export const LOOK_MS: Readonly<Record<WakeUpKind, number>> = { listen: 1_000, poll: 100 }
const RECONNECT_MS = 250
/** Of one notice; Postgres takes fewer than 8,000. */
const NOTICE_BYTES_MAX = 7_500
/** Threads that may wait to be named by a notice; beyond it a notice names none of them. */
const NOTED_MAX = 10_000

const CHANNEL = 'throughline'

type Head = readonly [thread: string, seq: number]

/** A message from one process to the others. */
interface Notice {
  readonly from: string
  readonly heads?: readonly Head[]
  readonly released?: string
}

export interface WakeUpsParts {
  readonly connector: Connector
  readonly kind: WakeUpKind
  /** Names this process: it does not listen to itself. */
  readonly self: string
  readonly moved: (thread: string, head: number) => void
  readonly released: (name: string) => void
  /** Reads the heads and leases for which a notice may be missing. */
  readonly look: () => Promise<void>
}

/** Tells other processes of appends and releases, and gets theirs, over one connection. */
export class WakeUps {
  readonly #parts: WakeUpsParts
  readonly #heads = new Map<string, number>()
  readonly #released = new Set<string>()
  readonly #closing = new AbortController()
  #connection: Connection | undefined
  #telling: Promise<void> | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(parts: WakeUpsParts) {
    this.#parts = parts
  }

  /** @throws an error of the database where it does not deliver notices */
  async start(): Promise<void> {
    if (this.#parts.kind === 'listen') await this.#listen()
    this.#looking = this.#keepLooking()
  }

  tellMoved(moved: readonly ThreadHead[]): void {
    if (this.#parts.kind === 'poll') return
    for (const { thread, seq } of moved) this.#heads.set(thread, seq)
    // The others look for themselves each second.
    if (this.#heads.size > NOTED_MAX) this.#heads.clear()
    this.#tell()
  }

  tellReleased(name: string): void {
    if (this.#parts.kind === 'poll') return
    this.#released.add(name)
    this.#tell()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled([this.#telling, this.#looking])
    await this.#connection?.close()
  }

  async #listen(): Promise<void> {
    const connection = await this.#parts.connector.connect()
    try {
      await connection.query({ name: 'listen', text: `LISTEN ${CHANNEL}` })
      await this.#requireNotices(connection)
      // Notices are told after what they tell of is on the disk, and may be lost.
      await connection.query({ name: 'relax', text: 'SET synchronous_commit = off' })
    } catch (error) {
      connection.destroy()
      throw error
    }
    connection.onNotice(({ payload = '' }) => this.#hear(payload))
    connection.onEnd(() => inBackground(this.#listenAgain()))
    this.#connection = connection
  }

  /** A pooler that gives each transaction another session takes LISTEN, and delivers nothing. */
  async #requireNotices(connection: Connection): Promise<void> {
    const { self: from, connector } = this.#parts
    const test = JSON.stringify({ from })
    const heard = new Promise<'heard'>((resolve) =>
      connection.onNotice(({ payload }) => payload === test && resolve('heard')),
    )
    // Not over this connection: a pooler would answer there with the notice.
    const other = await connector.connect()
    try {
      await other.query(NOTIFY, [CHANNEL, [test]])
      const late = setTimeout(ANSWER_WAIT_MAX_MS, 'late', { ref: false })
      if ((await Promise.race([heard, late])) === 'heard') return
    } finally {
      await other.close()
    }
    const why = 'notices do not arrive'
    throw new LogError('configuration', `Cannot listen to the database: ${why}; ${POOLER_MEND}`)
  }

  async #listenAgain(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listen()
        return
      } catch {
        await setTimeout(RECONNECT_MS)
      }
    }
  }

  #hear(payload: string): void {
    // Written by `notice` below, the only user of the channel.
    const { from, heads = [], released } = JSON.parse(payload) as Notice
    if (from === this.#parts.self) return
    for (const [thread, seq] of heads) this.#parts.moved(thread, seq)
    if (released !== undefined) this.#parts.released(released)
  }

  #tell(): void {
    this.#telling ??= this.#tellAll().finally(() => (this.#telling = undefined))
  }

  async #tellAll(): Promise<void> {
    // The append is answered first, and the next one sent: then one notice tells of both.
    await nextTurn()
    while (this.#heads.size > 0 || this.#released.size > 0) {
      const notices = this.#notices()
      try {
        if (!this.#connection || this.#connection.isLost) return
        await this.#connection.query(NOTIFY, [CHANNEL, notices])
      } catch {
        // A notice that is lost costs a second: see LOOK_MS.
        return
      }
    }
  }

  /** All there is to tell, in as many notices as it needs. */
  #notices(): readonly string[] {
    const from = this.#parts.self
    const notices = [...this.#released].map((released) => JSON.stringify({ from, released }))
    this.#released.clear()
    let heads: Head[] = []
    let bytes = 0
    const flush = (): void => {
      if (heads.length > 0) notices.push(JSON.stringify({ from, heads }))
      heads = []
      bytes = from.length + 20
    }
    flush()
    for (const head of this.#heads) {
      const length = Buffer.byteLength(JSON.stringify(head)) + 1
      if (bytes + length > NOTICE_BYTES_MAX) flush()
      heads.push(head)
      bytes += length
    }
    flush()
    this.#heads.clear()
    return notices
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await setTimeout(LOOK_MS[this.#parts.kind], undefined, { signal, ref: false })
        await this.#parts.look()
      } catch {
        // The database is away, or the log was closed: the next look finds what this one missed.
      }
    }
  }
}

const NOTIFY: Statement = {
  name: 'notify',
  text: 'SELECT pg_notify($1, notice) FROM unnest($2::text[]) AS n (notice)',
}
