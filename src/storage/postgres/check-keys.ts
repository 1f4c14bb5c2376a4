import { existsSync, readFileSync } from 'node:fs'
import { LogError } from '../../log/index.ts'
import { adoptionWarning } from '../heads/heads-options.ts'
import type { UnsignedHeads } from '../heads/heads-options.ts'
import { isSignedByKey } from '../heads/read-heads.ts'
import { requireFile } from '../files/private-file.ts'
import { textOf } from '../sql/rows.ts'
import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import { headOf } from './postgres-reader.ts'
import { HeadSigner, SAMPLE } from './signed-head.ts'

/** Heads that one statement signs. */
const HEADS_AT_ONCE = 1_000

export interface KeyTerms {
  readonly epoch: string
  readonly keys: readonly string[]
  /** The path of the heads outside the database, where there are any. */
  readonly headsFile: string | undefined
  readonly unsignedHeads: UnsignedHeads
  /** The address of the database as messages may show it. */
  readonly shown: string
  readonly onWarning: (warning: string) => void
}

/**
 * Refuses a process that has none of the keys that sign the heads of this log. The first process puts
 * its key on record, one with a new key beside a known one adds it, and a log without keys adopts the first.
 *
 * @throws {@link LogError} `configuration`
 */
export async function checkKeys(connection: Connection, terms: KeyTerms): Promise<HeadSigner> {
  const signer = new HeadSigner(terms.epoch, terms.keys)
  const own = signer.sign(SAMPLE)
  await connection.query(SQL.add_first_key, [own])
  // Another statement: it sees the key that another process has put there meanwhile.
  const known = await knownKeys(connection)
  if (known.includes(own)) return signer
  if (known.some((sum) => signer.accepts({ ...SAMPLE, sum }))) {
    await connection.query(SQL.add_key, [own])
    return signer
  }
  if (terms.unsignedHeads === 'refuse' || isSigned(known, terms)) throw unknownKey(terms.shown)
  await adopt(connection, signer, terms)
  return signer
}

async function adopt(connection: Connection, signer: HeadSigner, terms: KeyTerms): Promise<void> {
  const { epoch, headsFile, shown, onWarning } = terms
  // It was signed while the database was, which then lost its signatures.
  if (headsFile !== undefined && isSignedFile(headsFile)) throw lostSignatures(headsFile, shown)
  const isAdopted = await connection.transaction(async () => {
    await connection.query(SQL.lock_keys)
    // Another process may have adopted a key meanwhile.
    const known = await knownKeys(connection)
    if (known.includes(signer.sign(SAMPLE))) return false
    if (isSigned(known, terms)) throw unknownKey(shown)
    await signHeads(connection, new HeadSigner(epoch, []), signer)
    await connection.query(SQL.replace_keys, [signer.sign(SAMPLE)])
    await connection.query(SQL.put_adopted)
    return true
  })
  if (isAdopted) onWarning(adoptionWarning(shown))
}

/**
 * Signs the heads of a log without keys, each with the place and the time from which the key vouches. A head
 * whose checksum is wrong keeps it: its records stay unanchored.
 */
async function signHeads(connection: Connection, from: HeadSigner, to: HeadSigner): Promise<void> {
  const ts = Date.now()
  for (let after = -1; ;) {
    const heads = (await connection.query(SQL.lock_heads, [after, HEADS_AT_ONCE])).map(headOf)
    const sound = heads.filter((head) => from.accepts(head))
    await connection.query(SQL.sign_heads, [
      sound.map(({ number }) => number),
      sound.map((head) => to.sign({ ...head, adopted: { seq: head.seq, ts } })),
    ])
    if (heads.length < HEADS_AT_ONCE) return
    after = heads.at(-1)?.number ?? after
  }
}

/** Whether the log was without keys before: then so were the heads files of its servers. */
export async function hasAdoptedKey(connection: Connection): Promise<boolean> {
  return (await connection.query(SQL.adopted)).length > 0
}

function isSignedFile(path: string): boolean {
  requireFile(path, 'the heads')
  return existsSync(path) && isSignedByKey(readFileSync(path))
}

async function knownKeys(connection: Connection): Promise<readonly string[]> {
  return (await connection.query(SQL.keys)).map(({ value }) => textOf(value))
}

/** Whether a key has signed, for all that these signatures of {@link SAMPLE} tell. */
function isSigned(known: readonly string[], { epoch }: KeyTerms): boolean {
  const unsigned = new HeadSigner(epoch, [])
  return known.some((sum) => !unsigned.accepts({ ...SAMPLE, sum }))
}

function unknownKey(shown: string): LogError {
  return new LogError(
    'configuration',
    `Cannot open "${shown}": its heads are signed with none of the keys given; give all processes ` +
      'the same SECRET, or the one that signed behind a new one',
  )
}

function lostSignatures(headsFile: string, shown: string): LogError {
  const state = `no key has signed its heads, and the heads file "${headsFile}" is signed with one, or spoiled`
  const mend =
    'it was put back to an earlier state, or written by somebody without the key: restore the newest one'
  return new LogError('configuration', `Cannot open "${shown}": ${state}; ${mend}`)
}

const KEYS = "SELECT value FROM throughline.meta WHERE key LIKE 'signed:%'"

const SQL = statements({
  keys: KEYS,
  lock_keys: 'LOCK TABLE throughline.meta IN SHARE ROW EXCLUSIVE MODE',
  add_first_key: `INSERT INTO throughline.meta SELECT 'signed:first', $1
    WHERE NOT EXISTS (${KEYS}) ON CONFLICT (key) DO NOTHING`,
  add_key: `INSERT INTO throughline.meta VALUES ('signed:' || $1, $1) ON CONFLICT (key) DO NOTHING`,
  adopted: "SELECT FROM throughline.meta WHERE key = 'adopted'",
  put_adopted:
    "INSERT INTO throughline.meta VALUES ('adopted', 'yes') ON CONFLICT (key) DO NOTHING",
  replace_keys: "UPDATE throughline.meta SET value = $1 WHERE key LIKE 'signed:%'",
  lock_heads: `SELECT number, name, seq, hash, ts, sum FROM throughline.threads
    WHERE number > $1 AND seq >= 0 ORDER BY number LIMIT $2 FOR NO KEY UPDATE`,
  sign_heads: `UPDATE throughline.threads t SET sum = g.sum
    FROM unnest($1::bigint[], $2::text[]) AS g (number, sum) WHERE t.number = g.number`,
})
