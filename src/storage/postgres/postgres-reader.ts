import {
  BATCH_CHARS_MAX,
  BATCH_RECORDS_MAX,
  LogError,
  storedJson,
  unseal,
} from '../../log/index.ts'
import type { Batch, LogRecord } from '../../log/index.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import { statements } from './connection.ts'
import type { Row } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { ThreadHead } from './group-draft.ts'
import { adoptedIn } from './signed-head.ts'
import type { StoredHead } from './signed-head.ts'

/** Reads committed rows, over the connections of a pool. */
export class PostgresReader {
  readonly #pool: ConnectionPool

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  async page(thread: string, after: number, limit: number): Promise<Batch> {
    const rows = await this.#textsOf(thread, after, limit)
    return rows.map(({ body, hash }) => unseal(body, hash))
  }

  async jsonPage(thread: string, after: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#textsOf(thread, after, limit)
    return rows.map(({ body, hash }) => storedJson(body, hash))
  }

  async find(thread: string, id: string): Promise<LogRecord | undefined> {
    const [row] = await this.#pool.query(SQL.find, [thread, id])
    return row && unseal(textOf(row['body']), textOf(row['hash']))
  }

  async head(thread: string) {
    const [row] = await this.#pool.query(SQL.head, [thread])
    return row && headOf(row)
  }

  async headsOf(threads: readonly string[]) {
    const rows = await this.#pool.query(SQL.heads_of, [threads])
    return rows.map(({ name, seq }) => ({ thread: textOf(name), seq: wholeOf(seq) }))
  }

  async threads(): Promise<readonly string[]> {
    return (await this.#pool.query(SQL.threads)).map(({ name }) => textOf(name))
  }

  /** The rows of a thread after a position, for a check of each. */
  async rows(thread: string, after: number) {
    const rows = await this.#pool.query(SQL.rows, [thread, after, BATCH_RECORDS_MAX])
    return rows.map(({ seq, id, hash, body }) => ({
      seq: wholeOf(seq),
      id: textOf(id),
      hash: textOf(hash),
      body: textOf(body),
    }))
  }

  /** Records before a damaged place can still be read; a read across it fails. */
  async #textsOf(thread: string, after: number, limit: number) {
    const most = Math.min(limit, BATCH_RECORDS_MAX)
    const rows = await this.#pool.query(SQL.page, [thread, after, most])
    const texts = rows.map(({ body, hash }) => ({ body: textOf(body), hash: textOf(hash) }))
    const wrong = texts.findIndex(({ body }, at) => !body.startsWith(`{"seq":${after + 1 + at},`))
    if (wrong === -1) return texts
    if (wrong > 0) return texts.slice(0, wrong)
    const state = `record ${after + 1} is not where it belongs`
    throw new LogError('corrupt', `Cannot read "${thread}": ${state}`)
  }
}

export function headOf(row: Row): StoredHead & ThreadHead {
  const sum = textOf(row['sum'])
  return {
    thread: textOf(row['name']),
    number: wholeOf(row['number']),
    seq: wholeOf(row['seq']),
    hash: textOf(row['hash']),
    ts: wholeOf(row['ts']),
    sum,
    ...adoptedIn(sum),
  }
}

const OF = 'thread = (SELECT number FROM throughline.threads WHERE name = $1)'

/** The length of a stored text is known without reading the text. */
const pageOf = (columns: string): string => `SELECT ${columns} FROM (
    SELECT seq, id, hash, body, sum(octet_length(body)) OVER (ORDER BY seq) AS bytes
    FROM throughline.records WHERE ${OF} AND seq > $2 ORDER BY seq LIMIT $3
  ) AS page WHERE bytes <= ${BATCH_CHARS_MAX} OR seq = $2::bigint + 1 ORDER BY seq`

const SQL = statements({
  page: pageOf('body, hash'),
  rows: pageOf('seq, id, hash, body'),
  find: `SELECT body, hash FROM throughline.records WHERE ${OF} AND id = $2`,
  head: 'SELECT number, name, seq, hash, ts, sum FROM throughline.threads WHERE name = $1',
  heads_of: 'SELECT name, seq FROM throughline.threads WHERE name = ANY ($1::text[])',
  threads: 'SELECT name FROM throughline.threads WHERE seq >= 0 ORDER BY number',
})
