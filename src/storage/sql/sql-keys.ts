import { LogError } from '../../log/index.ts'
import type { ErasedSubject, Erasure, KeyState, Keys, SubjectKey } from '../../log/index.ts'
import { textOf, wholeOf } from './rows.ts'

type Row = Readonly<Record<string, unknown>>
type Value = string | number | Uint8Array

export interface SqlKeysParts {
  readonly id: string
  readonly newKey: () => SubjectKey
  /** What the names of the tables begin with. */
  readonly schema: string
  /** Rejects with what a failure of the database means. */
  readonly query: (
    action: string,
    statement: { readonly name: string; readonly text: string },
    values: readonly Value[],
  ) => Promise<readonly Row[]>
}

/** Keys in two tables, `keys` and `meta`. A row without an id is a subject that was erased. */
export class SqlKeys implements Omit<Keys, 'close'> {
  readonly id: string
  readonly #parts: SqlKeysParts
  readonly #texts: ReturnType<typeof textsIn>

  constructor(parts: SqlKeysParts) {
    this.#parts = parts
    this.id = parts.id
    this.#texts = textsIn(parts.schema)
  }

  async keyOf(subject: string): Promise<KeyState> {
    const found = await this.find(subject)
    if (found) return found
    const { id, bytes } = this.#parts.newKey()
    // Another process may have made one meanwhile: then that one counts.
    await this.#query('make a key', 'put_key', [subject, id, bytes])
    const state = await this.find(subject)
    if (state) return state
    throw new LogError('corrupt', 'Cannot make a key: the database did not keep it')
  }

  async find(subject: string): Promise<KeyState | undefined> {
    const [row] = await this.#query('read a key', 'find_key', [subject])
    if (!row) return undefined
    const { id, bytes } = row
    if (id === null) return { status: 'erased', erasure: erasureIn(row) }
    return { status: 'kept', key: { id: textOf(id), bytes: bytesOf(bytes) } }
  }

  async erase(subject: string, { at, by, why }: Erasure): Promise<void> {
    await this.#query('erase a key', 'erase_key', [subject, at, by, why])
  }

  async erased(after: string, limit: number): Promise<readonly ErasedSubject[]> {
    const rows = await this.#query('list the erased', 'erased_keys', [after, limit])
    return rows.map((row) => ({ subject: textOf(row['subject']), ...erasureIn(row) }))
  }

  async followed(): Promise<number> {
    const [row] = await this.#query('read the position', 'followed', [])
    return row ? Number(row['value']) : -1
  }

  async follow(seq: number): Promise<void> {
    await this.#query('save the position', 'follow', [String(seq)])
  }

  #query(action: string, name: keyof ReturnType<typeof textsIn>, values: readonly Value[]) {
    return this.#parts.query(action, { name, text: this.#texts[name] }, values)
  }
}

function erasureIn(row: Row): Erasure {
  return { at: wholeOf(row['at']), by: textOf(row['erased_by']), why: textOf(row['why']) }
}

/** Postgres has them in hexadecimal digits. */
function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(textOf(value), 'hex')
}

function textsIn(schema: string) {
  const [keys, meta] = [`${schema}keys`, `${schema}meta`]
  return {
    find_key: `SELECT id, bytes, at, erased_by, why FROM ${keys} WHERE subject = $1`,
    put_key: `INSERT INTO ${keys} (subject, id, bytes) VALUES ($1, $2, $3)
      ON CONFLICT (subject) DO NOTHING`,
    erase_key: `INSERT INTO ${keys} (subject, at, erased_by, why) VALUES ($1, $2, $3, $4)
      ON CONFLICT (subject) DO UPDATE SET id = NULL, bytes = NULL, at = excluded.at,
        erased_by = excluded.erased_by, why = excluded.why
      WHERE keys.id IS NOT NULL`,
    erased_keys: `SELECT subject, at, erased_by, why FROM ${keys}
      WHERE id IS NULL AND subject > $1 ORDER BY subject LIMIT $2`,
    followed: `SELECT value FROM ${meta} WHERE key = 'followed'`,
    follow: `INSERT INTO ${meta} VALUES ('followed', $1)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      WHERE CAST(meta.value AS bigint) < CAST(excluded.value AS bigint)`,
  }
}
