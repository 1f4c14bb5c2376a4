import type { NoteChange, Notes } from '../../log/index.ts'
import { noteKey, textOf } from '../sql/rows.ts'
import { statements } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { reportingAs } from './postgres-error.ts'

/** Notes that all processes of a database share. */
export class PostgresNotes implements Notes {
  readonly #pool: ConnectionPool

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  async read(name: string): Promise<string | undefined> {
    const [row] = await reportingAs('read a note', () =>
      this.#pool.query(SQL.read_note, [noteKey(name)]),
    )
    return row && textOf(row['value'])
  }

  /** Asked twice after a lost connection it may answer false although it wrote: its caller reads again. */
  async replace(name: string, { before, after }: NoteChange): Promise<boolean> {
    const key = noteKey(name)
    const rows = await reportingAs('write a note', () =>
      before === undefined
        ? this.#pool.query(SQL.add_note, [key, after])
        : this.#pool.query(SQL.replace_note, [key, after, before]),
    )
    return rows.length === 1
  }
}

const SQL = statements({
  read_note: 'SELECT value FROM throughline.meta WHERE key = $1',
  add_note: `INSERT INTO throughline.meta VALUES ($1, $2) ON CONFLICT (key) DO NOTHING
    RETURNING key`,
  replace_note: `UPDATE throughline.meta SET value = $2 WHERE key = $1 AND value = $3
    RETURNING key`,
})
