import { membersOf, textOf } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { stableId } from '../../gate/index.ts'
import { GrantWatches } from './grant-watches.ts'
import type { GrantWatch } from './grant-watches.ts'
import { ProblemError } from '../problems/problem.ts'
import { appendRevocation } from './revoked-ids.ts'
import { RoleGenerations, generationEndId } from './role-generations.ts'
import type { Grant, IssuedGrant } from './tokens.ts'

/** How often all tokens of one role can be revoked in one thread. */
export const ROLE_REVOCATIONS_MAX = 1_000

/**
 * Revokes tokens of threads. A revocation is a record of the token's thread, and its id is made from what
 * is revoked: looking for it costs one look-up however long the thread is, and it outlasts a restart.
 */
export class Revocations {
  readonly #log: EventLog
  readonly #generations: RoleGenerations
  readonly #watches: GrantWatches<IssuedGrant>

  constructor(log: EventLog) {
    this.#log = log
    this.#generations = new RoleGenerations(log)
    this.#watches = new GrantWatches(log, isRevocationOf)
  }

  async isRevoked(grant: IssuedGrant): Promise<boolean> {
    if (await this.#log.find(grant.thread, idOfToken(grant))) return true
    return grant.generation < (await this.#generations.current(grant))
  }

  watch(grant: IssuedGrant): Promise<GrantWatch> {
    return this.#watches.open(grant, () => this.isRevoked(grant))
  }

  revokeToken(grant: IssuedGrant): Promise<LogRecord> {
    const data = { role: grant.role, token: grant.id }
    return appendRevocation(this.#log, grant.thread, { id: idOfToken(grant), data })
  }

  /** @throws {@link ProblemError} `invalid_body` when it was done {@link ROLE_REVOCATIONS_MAX} times */
  async revokeRole(thread: string, role: string): Promise<LogRecord> {
    const grant: Grant = { thread, role }
    const ended = await this.#generations.current(grant)
    if (ended >= ROLE_REVOCATIONS_MAX) {
      const detail = `Cannot revoke: the tokens of this role were revoked ${ended} times`
      throw new ProblemError('invalid_body', 400, { detail })
    }
    const id = generationEndId(grant, ended)
    return appendRevocation(this.#log, thread, { id, data: { role, generation: ended + 1 } })
  }
}

function isRevocationOf({ type, data }: LogRecord, grant: IssuedGrant): boolean {
  if (type !== 'token_revoked' || textOf(data, 'role') !== grant.role) return false
  if (textOf(data, 'token') === grant.id) return true
  const { generation } = membersOf(data)
  return typeof generation === 'number' && generation > grant.generation
}

function idOfToken({ thread, id }: IssuedGrant): string {
  return stableId('token_revoked', thread, id)
}
