import { setTimeout } from 'node:timers/promises'
import { LogError } from '../../log/index.ts'
import type { QueuedAppend } from '../commit/append-queue.ts'
import type { Committed } from '../commit/committer.ts'
import { ANSWER_WAIT_MAX_MS } from './connection.ts'
import type { Connection, Connector } from './connection.ts'
import type { ThreadHead } from './group-draft.ts'
import type { GroupWriter } from './group-writer.ts'
import type { HeadsOutside } from './heads-outside.ts'
import { isConnectionLoss, postgresError } from './postgres-error.ts'

/** How long a group is stored again with the same ids before it is given up. */
export const STORE_WAIT_MAX_MS = ANSWER_WAIT_MAX_MS
const RETRY_MS = 50

export interface CommitsParts {
  readonly connector: Connector
  readonly writer: GroupWriter
  readonly headsOutside: HeadsOutside | undefined
  readonly committed: (moved: readonly ThreadHead[]) => void
}

/** Stores one group after the other over one connection, which is opened anew when it was lost. */
export class PostgresCommits {
  readonly #parts: CommitsParts
  #connection: Connection | undefined

  constructor(parts: CommitsParts) {
    this.#parts = parts
  }

  /**
   * Without an answer it asks again with the same drafts: what was stored is then answered, and nothing
   * is stored twice. Never fails for good: another group may find the database well.
   */
  async commit(group: readonly QueuedAppend[]): Promise<Committed> {
    const since = performance.now()
    let isInDoubt = false
    for (;;) {
      let isSent = false
      const storing = (): void => {
        isSent = true
      }
      try {
        // Heads that a full disk has kept back come first, so that one group at most is ahead of them.
        this.#parts.headsOutside?.flush()
        const connection = await this.#connected()
        const { outcomes, moved } = await this.#parts.writer.store(group, { connection, storing })
        const failure = this.#parts.headsOutside?.add(moved) ?? null
        this.#parts.committed(moved)
        const diskMs = performance.now() - since
        return { status: 'committed', outcomes, failure, diskMs }
      } catch (error) {
        const isLost = isConnectionLoss(error)
        isInDoubt ||= isLost && isSent
        if (!isLost || performance.now() - since >= STORE_WAIT_MAX_MS) {
          return refused(postgresError('append', error), isInDoubt)
        }
        await setTimeout(RETRY_MS)
      }
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close()
  }

  async #connected(): Promise<Connection> {
    if (this.#connection && !this.#connection.isLost) return this.#connection
    this.#connection = await this.#parts.connector.connect()
    return this.#connection
  }
}

/** A refusal of a later try says nothing about what became of the first one. */
function refused(refusal: LogError, isInDoubt: boolean): Committed {
  if (!isInDoubt) return { status: 'refused', refusal, failure: null }
  const state = 'the database gave no answer, and may have stored it; append the same ids again'
  const inDoubt = new LogError('in_doubt', `Cannot append: ${state}`, { cause: refusal })
  return { status: 'refused', refusal: inDoubt, failure: null }
}
