import { existsSync } from 'node:fs'
import { LogError } from '../../log/index.ts'
import type { AnchoredHead } from '../heads/anchored-head.ts'
import { holdWriteLock } from '../commit/write-lock.ts'
import { HeadsFile } from '../heads/heads-file.ts'
import type { HeadsTerms } from '../heads/heads-file.ts'
import type { UnsignedHeads } from '../heads/heads-options.ts'
import { byName } from '../heads/heads-lines.ts'
import type { NamedHead } from '../heads/heads-lines.ts'
import { makePrivateFile, makePrivateFolderOf, requireFile } from '../files/private-file.ts'
import { textOf } from '../sql/rows.ts'
import { reporting, storageError } from '../files/storage-error.ts'
import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import type { ThreadHead } from './group-draft.ts'
import { headOf } from './postgres-reader.ts'
import type { HeadSigner } from './signed-head.ts'

const MEND =
  'restore the file from a backup; only if there is none, move it away: a new one is begun from what the ' +
  'database holds'

/** Heads that are compared with the database by one statement. */
const HEADS_AT_ONCE = 1_000

export interface OutsideTerms extends HeadsTerms {
  /** The address of the database as messages may show it. */
  readonly shown: string
  readonly connection: Connection
  readonly signer: HeadSigner
  readonly unsignedHeads: UnsignedHeads
}

/**
 * The heads of the threads as this process has left them, in a file of its own outside the database: so a
 * database that has gone back to an earlier state, its signed heads included, does not pass for sound.
 */
export class HeadsOutside {
  readonly #file: HeadsFile
  readonly #lock: { close(): void }

  /**
   * Compares the database with the file. A file that is missing is begun from the signed heads of the
   * database.
   *
   * @throws {@link LogError} `configuration` when the database lacks a record that the file names
   */
  static async open(terms: OutsideTerms): Promise<HeadsOutside> {
    makePrivateFolderOf(terms.path)
    requireFile(terms.path, 'the heads')
    makePrivateFile(`${terms.path}.lock`)
    const lock = lockOf(terms.path)
    const file = new HeadsFile({ ...terms, mend: MEND })
    try {
      if (!existsSync(terms.path)) file.begin(await signedHeads(terms))
      else {
        file.open('holds records', terms.unsignedHeads)
        const missing = await firstMissing(file.heads(), terms.connection)
        if (missing) throw goneBack(missing, terms)
      }
      return new HeadsOutside(file, lock)
    } catch (error) {
      file.close()
      lock.close()
      throw storageError(`open the heads file "${terms.path}"`, error)
    }
  }

  private constructor(file: HeadsFile, lock: { close(): void }) {
    this.#file = file
    this.#lock = lock
  }

  /** The head that this process knows a thread to have had. */
  find(thread: string): AnchoredHead | undefined {
    return reporting('read the heads', () => this.#file.find(thread))
  }

  /** The first known head of these threads whose record the database does not hold. */
  firstMissing(threads: readonly string[], connection: Connection): Promise<NamedHead | undefined> {
    const heads = threads.flatMap((thread): NamedHead[] => {
      const head = this.find(thread)
      return head ? [[thread, head]] : []
    })
    return firstMissing(heads, connection)
  }

  threadsNotIn(stored: ReadonlySet<string>): readonly string[] {
    return reporting('read the heads', () => this.#file.threadsNotIn(stored))
  }

  /**
   * Writes down what a full disk has kept back so far.
   *
   * @throws {@link LogError}
   */
  flush(): void {
    reporting('write down the heads', () => this.#file.flush())
  }

  /** Returns null, or a failure after which nothing more may be acknowledged. */
  add(moved: readonly ThreadHead[]): LogError | null {
    // Other processes store records in between: without a place before the move none of them is unanchored.
    const moves = moved.map(({ thread, seq, hash }) => [thread, { before: -1, seq, hash }] as const)
    return this.#file.tryAdd(moves)
  }

  close(): void {
    try {
      this.#file.close()
    } finally {
      this.#lock.close()
    }
  }
}

function lockOf(path: string): { close(): void } {
  try {
    return holdWriteLock(path)
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'locked')) throw error
    const state = `${error.message}; give each server a HEADS_FILE of its own`
    throw new LogError('locked', state, { cause: error })
  }
}

/** All heads of the database, sorted by name; one that no key signed vouches for nothing. */
async function signedHeads({ connection, signer }: OutsideTerms): Promise<readonly NamedHead[]> {
  const heads = (await connection.query(SQL.heads)).map((row): NamedHead => {
    const head = headOf(row)
    const { thread, seq, hash, ts } = head
    return [thread, { seq, hash, ts, unanchored: signer.accepts(head) ? [] : [[0, seq]] }]
  })
  return heads.toSorted(byName)
}

async function firstMissing(
  heads: Iterable<NamedHead>,
  connection: Connection,
): Promise<NamedHead | undefined> {
  const all = [...heads]
  for (let at = 0; at < all.length; at += HEADS_AT_ONCE) {
    const some = all.slice(at, at + HEADS_AT_ONCE)
    const rows = await connection.query(SQL.hashes_at, [
      some.map(([thread]) => thread),
      some.map(([, { seq }]) => seq),
    ])
    const stored = new Map(rows.map(({ name, hash }) => [textOf(name), textOf(hash)]))
    const missing = some.find(([thread, { hash }]) => stored.get(thread) !== hash)
    if (missing) return missing
  }
  return undefined
}

function goneBack([thread, { seq }]: NamedHead, { path, shown }: OutsideTerms): LogError {
  const state = `it does not hold the record ${seq} of "${thread}" that the heads file "${path}" names`
  const mend =
    'it was put back to an earlier state, or is another copy: restore the newest one. ' +
    'To go on with what it holds, move the heads file away'
  return new LogError('configuration', `Cannot open "${shown}": ${state}; ${mend}`)
}

const SQL = statements({
  heads: 'SELECT number, name, seq, hash, ts, sum FROM throughline.threads WHERE seq >= 0',
  hashes_at: `SELECT t.name, r.hash FROM unnest($1::text[], $2::bigint[]) AS g (name, seq)
    JOIN throughline.threads t ON t.name = g.name
    JOIN throughline.records r ON r.thread = t.number AND r.seq = g.seq`,
})
