import { LogError } from '../../log/index.ts'
import { textOf } from '../sqlite/rows.ts'
import type { Connection, Statement } from './connection.ts'
import type { HeadSigner } from './signed-head.ts'

/** What each key signs once, so that a process with none of the keys shows before it writes. */
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
  await connection.query(ADD_FIRST, [own])
  // Another statement: it sees the key that another process has put there meanwhile.
  const rows = await connection.query(KEYS)
  const known = rows.map(({ value }) => textOf(value))
  if (known.includes(own)) return
  if (known.some((sum) => signer.accepts({ ...SAMPLE, sum }))) {
    await connection.query(ADD, [own])
    return
  }
  throw new LogError(
    'configuration',
    `Cannot open "${shown}": its heads are signed with none of the keys given; give all processes ` +
      'the same SECRET, or the one that signed behind a new one',
  )
}

const KEYS: Statement = {
  name: 'keys',
  text: "SELECT value FROM throughline.meta WHERE key LIKE 'signed:%'",
}
const ADD_FIRST: Statement = {
  name: 'add_first_key',
  text: `INSERT INTO throughline.meta SELECT 'signed:first', $1
    WHERE NOT EXISTS (${KEYS.text}) ON CONFLICT (key) DO NOTHING`,
}
const ADD: Statement = {
  name: 'add_key',
  text: `INSERT INTO throughline.meta VALUES ('signed:' || $1, $1) ON CONFLICT (key) DO NOTHING`,
}
