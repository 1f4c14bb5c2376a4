import { setTimeout as pause } from 'node:timers/promises'
import { membersOf, textOf } from '../agui/index.ts'
import type { LibraryRecord } from '../domain/index.ts'
import type { EventLog, Json, LogRecord, NewEvent } from '../log/index.ts'
import { stableId } from '../runs/index.ts'
import { GrantWatches } from './grant-watches.ts'
import type { GrantWatch } from './grant-watches.ts'
import { ProblemError } from './problem.ts'
import type { IssuedGrant, ThreadRole } from './tokens.ts'

/** How often all tokens of one role can be revoked in one thread. */
export const ROLE_REVOCATIONS_MAX = 1_000
/** Roles in threads whose revocations are remembered; the oldest are looked up again. */
const REMEMBERED_MAX = 10_000

/** What was taken back: one token, or all of a role that were issued until then. */
export type Revocation =
  | { readonly role: ThreadRole; readonly token: string }
  | { readonly role: ThreadRole; readonly issuedUntil: number }

interface RoleRevocations {
  /** How many there are: the next one gets this number. */
  readonly count: number
  /** Tokens that were issued until then, in milliseconds since the epoch, count no more. */
  readonly issuedUntil: number
}

/**
 * Takes tokens back. A revocation is a record of the token's thread under an id that follows from
 * what is revoked, so whether there is one is one look-up, however long the thread, and a restart
 * forgets nothing.
 */
export class Revocations {
  readonly #log: EventLog
  readonly #watches: GrantWatches
  readonly #ofRole = new Map<string, RoleRevocations>()

  constructor(log: EventLog) {
    this.#log = log
    this.#watches = new GrantWatches(log, isRevocationOf)
  }

  async isRevoked(grant: IssuedGrant): Promise<boolean> {
    const { thread, role, id, issuedAt } = grant
    if (await this.#log.find(thread, idOfToken(thread, id))) return true
    return issuedAt <= (await this.#revocationsOf(thread, role)).issuedUntil
  }

  /** Tells when a grant that is in use has ended: its token expired or was revoked. */
  async watch(grant: IssuedGrant): Promise<GrantWatch> {
    const watch = await this.#watches.open(grant)
    try {
      // It may have been revoked after it was let in and before it was watched.
      if (await this.isRevoked(grant)) watch.end()
      return watch
    } catch (error) {
      watch.release()
      throw error
    }
  }

  async revokeToken({ thread, role, id }: IssuedGrant): Promise<LogRecord> {
    return this.#append(thread, idOfToken(thread, id), { role, token: id })
  }

  /** @throws {@link ProblemError} `invalid_body` when it was done {@link ROLE_REVOCATIONS_MAX} times */
  async revokeRole(thread: string, role: ThreadRole): Promise<LogRecord> {
    for (;;) {
      const { count } = await this.#revocationsOf(thread, role)
      if (count >= ROLE_REVOCATIONS_MAX) {
        const detail = `Cannot revoke: the tokens of this role were revoked ${count} times`
        throw new ProblemError('invalid_body', 400, { detail })
      }
      const issuedUntil = Date.now()
      const record = await this.#append(thread, idOfRole(thread, role, count), {
        role,
        issuedUntil,
      })
      // Somebody else's revocation has this number: what was issued since then is to go as well.
      if (issuedUntilIn(record) < issuedUntil) continue
      // A token that is issued from now on must be later than what was revoked.
      while (Date.now() <= issuedUntil) await pause(1)
      return record
    }
  }

  async #append(thread: string, id: string, data: Revocation): Promise<LogRecord> {
    const origin = { source: 'ui', surface: 'operator', depth: 0 } as const
    // No domain knows it and no state follows from it, so there is nothing for a gate to decide.
    const type = 'token_revoked' satisfies LibraryRecord
    const event: NewEvent = { id, type, data: { ...data }, origin }
    const [record] = await this.#log.append(thread, [event])
    if (!record) throw new TypeError('Cannot revoke: the log answered without a record')
    return record
  }

  async #revocationsOf(thread: string, role: ThreadRole): Promise<RoleRevocations> {
    const name = JSON.stringify([thread, role])
    let known = this.#ofRole.get(name) ?? { count: 0, issuedUntil: -1 }
    for (;;) {
      const next = await this.#log.find(thread, idOfRole(thread, role, known.count))
      if (!next) break
      known = {
        count: known.count + 1,
        issuedUntil: Math.max(known.issuedUntil, issuedUntilIn(next)),
      }
    }
    this.#remember(name, known)
    return known
  }

  #remember(name: string, known: RoleRevocations): void {
    // Of most roles nothing was ever revoked, and one look-up says so.
    if (known.count === 0) return
    this.#ofRole.set(name, known)
    for (const oldest of this.#ofRole.keys()) {
      if (this.#ofRole.size <= REMEMBERED_MAX) break
      this.#ofRole.delete(oldest)
    }
  }
}

/** Whether a record takes this grant back. */
function isRevocationOf({ type, data }: LogRecord, { role, id, issuedAt }: IssuedGrant): boolean {
  if (type !== 'token_revoked' || textOf(data, 'role') !== role) return false
  return textOf(data, 'token') === id || issuedAt <= issuedUntilOf(data)
}

function issuedUntilIn({ data }: LogRecord): number {
  return issuedUntilOf(data)
}

function issuedUntilOf(data: Json): number {
  const { issuedUntil } = membersOf(data)
  return typeof issuedUntil === 'number' ? issuedUntil : -1
}

function idOfToken(thread: string, id: string): string {
  return stableId('token_revoked', thread, id)
}

function idOfRole(thread: string, role: ThreadRole, number: number): string {
  return stableId('token_revoked', thread, role, String(number))
}
