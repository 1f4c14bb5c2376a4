import { CALLER } from '../../application/index.ts'
import type { LibraryRecord } from '../../domain/index.ts'
import { stableId } from '../../gate/index.ts'
import { textOf } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { GrantWatches } from './grant-watches.ts'
import type { GrantWatch } from './grant-watches.ts'
import { firstRecord } from '../routes/thread-entry.ts'
import type { CallerGrant } from './tokens.ts'

/** The thread that holds the revocations of caller tokens. */
const REVOKED = 'throughline.caller-tokens'

interface WatchedCaller extends CallerGrant {
  readonly thread: string
}

/** Knows which caller tokens were revoked, and which threads a caller began. */
export class CallerTokens {
  readonly #log: EventLog
  readonly #watches: GrantWatches<WatchedCaller>

  constructor(log: EventLog) {
    this.#log = log
    this.#watches = new GrantWatches<WatchedCaller>(log, isRevocationOf)
  }

  async isRevoked({ id }: Pick<CallerGrant, 'id'>): Promise<boolean> {
    return (await this.#log.find(REVOKED, revocationId(id))) !== undefined
  }

  /** Revokes a token for every server on this store; a second time gives the record of the first. */
  async revoke(id: string): Promise<LogRecord> {
    const origin = { source: 'ui', surface: 'operator', depth: 0 } as const
    const type = 'token_revoked' satisfies LibraryRecord
    const event = { id: revocationId(id), type, data: { role: CALLER, token: id }, origin }
    const [record] = await this.#log.append(REVOKED, [event])
    if (!record) throw new TypeError('Cannot revoke: the log answered without a record')
    return record
  }

  /** Watches a token that is in use: it may expire or be revoked. */
  watch(grant: CallerGrant): Promise<GrantWatch> {
    return this.#watches.open({ ...grant, thread: REVOKED }, () => this.isRevoked(grant))
  }

  /** Whether the first record of a thread names the subject of the token as its actor. */
  async began({ subject }: CallerGrant, thread: string): Promise<boolean> {
    return (await firstRecord(this.#log, thread))?.origin.actor === subject
  }
}

function isRevocationOf({ type, data }: LogRecord, { id }: CallerGrant): boolean {
  return type === 'token_revoked' && textOf(data, 'token') === id
}

function revocationId(id: string): string {
  return stableId('token_revoked', REVOKED, id)
}
