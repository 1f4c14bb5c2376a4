import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import { headOf } from './postgres-reader.ts'
import type { HeadSigner } from './signed-head.ts'

/** Heads that one statement signs. */
const HEADS_AT_ONCE = 1_000

export interface Adoption {
  readonly from: HeadSigner
  readonly to: HeadSigner
  /** The moment that is put on record. */
  readonly ts: number
}

/**
 * Signs the heads of a log without keys, each with the place and the time from which the key vouches. A head
 * whose checksum is wrong keeps it: its records stay unanchored. Called in a transaction.
 */
export async function adoptKey(connection: Connection, { from, to, ts }: Adoption): Promise<void> {
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

const SQL = statements({
  lock_heads: `SELECT number, name, seq, hash, ts, sum FROM throughline.threads
    WHERE number > $1 AND seq >= 0 ORDER BY number LIMIT $2 FOR NO KEY UPDATE`,
  sign_heads: `UPDATE throughline.threads t SET sum = g.sum
    FROM unnest($1::bigint[], $2::text[]) AS g (number, sum) WHERE t.number = g.number`,
})
