import { LogError } from '../../log/index.ts'
import { textOf } from '../sqlite/rows.ts'
import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import type { HeadSigner } from './signed-head.ts'

/** Each key signs this once, so that a process with none of the keys is refused before it writes. */
const SAMPLE = { thread: '', seq: 0, hash: '', ts: 0 }

/**
 * Refuses a process that has none of the keys that sign the heads of this log. The first process puts
 * its key on record, and one with a new key beside a known one adds it.
 *
 * @throws {@link LogError} `configuration`
 */
export async function checkKeys(
  connection: Connection,
  signer: HeadSigner,
  shown: string,
): Promise<void> {
  const own = signer.sign(SAMPLE)
  await connection.query(SQL.add_first_key, [own])
  // Another statement: it sees the key that another process has put there meanwhile.
  const rows = await connection.query(SQL.keys)
  const known = rows.map(({ value }) => textOf(value))
  if (known.includes(own)) return
  if (known.some((sum) => signer.accepts({ ...SAMPLE, sum }))) {
    await connection.query(SQL.add_key, [own])
    return
  }
  throw new LogError(
    'configuration',
    `Cannot open "${shown}": its heads are signed with none of the keys given; give all processes ` +
      'the same SECRET, or the one that signed behind a new one',
  )
}

const KEYS = "SELECT value FROM throughline.meta WHERE key LIKE 'signed:%'"

const SQL = statements({
  keys: KEYS,
  add_first_key: `INSERT INTO throughline.meta SELECT 'signed:first', $1
    WHERE NOT EXISTS (${KEYS}) ON CONFLICT (key) DO NOTHING`,
  add_key: `INSERT INTO throughline.meta VALUES ('signed:' || $1, $1) ON CONFLICT (key) DO NOTHING`,
})
