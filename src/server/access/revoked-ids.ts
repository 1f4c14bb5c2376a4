import type { LibraryRecord } from '../../domain/index.ts'
import { stableId } from '../../gate/index.ts'
import { textOf } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { GrantWatches } from './grant-watches.ts'
import type { GrantWatch } from './grant-watches.ts'
import type { Issued } from './tokens.ts'

/** Revokes grants by their ids, by records in a thread of the server's own. */
export class RevokedIds {
  readonly #log: EventLog
  readonly #thread: string
  readonly #role: string
  readonly #watches: GrantWatches<Issued & { readonly thread: string }>

  constructor(log: EventLog, { thread, role }: { readonly thread: string; readonly role: string }) {
    this.#log = log
    this.#thread = thread
    this.#role = role
    this.#watches = new GrantWatches(
      log,
      ({ type, data }, { id }) => type === 'token_revoked' && textOf(data, 'token') === id,
    )
  }

  async has(id: string): Promise<boolean> {
    return (await this.#log.find(this.#thread, this.#recordId(id))) !== undefined
  }

  /** Revokes for every server on this store; a second time gives the record of the first. */
  add(id: string): Promise<LogRecord> {
    const data = { role: this.#role, token: id }
    return appendRevocation(this.#log, this.#thread, { id: this.#recordId(id), data })
  }

  watch(grant: Issued): Promise<GrantWatch> {
    return this.#watches.open({ ...grant, thread: this.#thread }, () => this.has(grant.id))
  }

  #recordId(id: string): string {
    return stableId('token_revoked', this.#thread, id)
  }
}

/** A revocation: of one token, or of all of a role that were issued before this generation. */
type Revocation =
  | { readonly role: string; readonly token: string }
  | { readonly role: string; readonly generation: number }

export async function appendRevocation(
  log: EventLog,
  thread: string,
  { id, data }: { readonly id: string; readonly data: Revocation },
): Promise<LogRecord> {
  const origin = { source: 'ui', surface: 'operator', depth: 0 } as const
  // No domain knows it and no state follows from it, so there is nothing for a gate to decide.
  const type = 'token_revoked' satisfies LibraryRecord
  const [record] = await log.append(thread, [{ id, type, data: { ...data }, origin }])
  if (!record) throw new TypeError('Cannot revoke: the log answered without a record')
  return record
}
