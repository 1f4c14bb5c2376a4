import type { Cursors, ConsumerRow, LogError, OpenRow } from '../../log/index.ts'
import { textOf, wholeOf } from './rows.ts'
import { SideFile } from './side-file.ts'
import { sqlitePath } from './sqlite-url.ts'

/** The format of the file: another one is begun anew. */
const FORMAT = 1

/** Cursors in an SQLite file beside the log. Losing it costs a pass over the log, and nothing else. */
export class CursorFile implements Cursors {
  readonly #file: SideFile

  constructor(path: string, onFault?: (error: LogError) => void) {
    const synchronous = 'NORMAL'
    this.#file = new SideFile({ path, format: FORMAT, tables: TABLES, synchronous, onFault })
  }

  async load(consumer: string): Promise<string | undefined> {
    return this.#file.use('read', (database) => {
      const row = database.prepare('SELECT position FROM cursors WHERE consumer = ?').get(consumer)
      return row && textOf(row['position'])
    })
  }

  async open(consumer: string): Promise<readonly OpenRow[]> {
    const rows = this.#file.use('read', (database) =>
      database
        .prepare('SELECT thread, due_at FROM rows WHERE consumer = ? ORDER BY due_at, thread')
        .all(consumer)
        .map((row) => ({ thread: textOf(row['thread']), dueAt: wholeOf(row['due_at']) })),
    )
    return rows ?? []
  }

  async save(consumer: string, position: string, rows: readonly ConsumerRow[]): Promise<void> {
    this.#file.change('write', (database) => {
      const put = database.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?)')
      const remove = database.prepare('DELETE FROM rows WHERE consumer = ? AND thread = ?')
      for (const { thread, dueAt } of rows) {
        if (dueAt === undefined) remove.run(consumer, thread)
        else put.run(consumer, thread, dueAt)
      }
      database.prepare('INSERT OR REPLACE INTO cursors VALUES (?, ?)').run(consumer, position)
    })
  }

  close(): void {
    this.#file.close()
  }
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS cursors (consumer TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS rows (
    consumer TEXT NOT NULL, thread TEXT NOT NULL, due_at INTEGER NOT NULL,
    PRIMARY KEY (consumer, thread)
  ) STRICT, WITHOUT ROWID;`

/** The cursors beside the log at `sqlite:PATH`; a log in memory has nothing to resume. */
export function openCursors(
  url: string,
  onFault?: (error: LogError) => void,
): CursorFile | undefined {
  const path = sqlitePath(url)
  return path === undefined ? undefined : new CursorFile(`${path}.cursors`, onFault)
}
