import { createHmac } from 'node:crypto'
import { Client, DatabaseError } from 'pg'
import {
  GENESIS,
  exitCodeOf,
  expectedAfter,
  faultAtAnchor,
  faultIn,
  reaches,
  readHeads,
  report,
  reportLost,
  reportMissing,
} from './verify-log.ts'
import type { Anchor, Finding, Head, Judged, Row, Say, Verdict } from './verify-log.ts'

const FORMAT = '1'
const THREADS_AT_ONCE = 1_000
const RECORDS_AT_ONCE = 256
const BYTES_AT_ONCE = 4 * 1_048_576

/** The head that a key signs for the row of the table `meta` that says which keys sign. */
const SAMPLE = { thread: '', seq: 0, hash: '', ts: 0 }

export interface PostgresToVerify {
  readonly url: string
  /** Any of them may have signed a head. */
  readonly keys: readonly string[]
  /** The file in which a server keeps the heads that it knows outside the database. */
  readonly heads?: string | undefined
  /** All threads when it names none. */
  readonly wanted: readonly string[]
}

/**
 * Checks a log in Postgres by docs/log-format.md alone: it shares no code with what wrote it. It reads one
 * snapshot and writes nothing.
 *
 * @throws an error that says why there is no verdict, also one of the database
 */
export async function verifyPostgres(request: PostgresToVerify, say: Say): Promise<number> {
  const client = await connect(request.url)
  try {
    await client.query(SNAPSHOT)
    const { epoch, isSigned } = await signatures(client, request.keys)
    const known = knownHeads(request, epoch)
    return await verifyThreads(client, { isSigned, known, wanted: request.wanted }, say)
  } finally {
    await client.end()
  }
}

/** The first of the hosts that answers: a standby can be verified too. */
async function connect(url: string): Promise<Client> {
  const [, before = '', hosts = '', rest = ''] =
    /^([^/]*\/\/(?:[^@/]*@)?)([^/]*)(.*)$/.exec(url) ?? []
  let failure: unknown
  for (const host of hosts.split(',')) {
    const client = new Client({ connectionString: `${before}${host}${rest}` })
    // A lost connection fails the query that waits for it.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

interface StoredHead extends Head {
  readonly thread: string
  readonly ts: number
  readonly adopted?: Anchor['adopted']
}

type IsSigned = (head: StoredHead, sum: unknown) => boolean

async function signatures(client: Client, keys: readonly string[]) {
  const meta = new Map(
    (await client.query<Row>(META)).rows.map((row) => [row['key'], row['value']]),
  )
  if (meta.get('format') !== FORMAT) {
    throw new Error(`it is a log of format ${String(meta.get('format'))}`)
  }
  const epoch = String(meta.get('epoch'))
  const signed = (keys.length > 0 ? keys : ['']).map((key) => sumsOf(epoch, key))
  const isSigned: IsSigned = (head, sum) => signed.some((sumOf) => sumOf(head) === sum)
  const known = [...meta].filter(([name]) => String(name).startsWith('signed:'))
  if (known.some(([, sum]) => isSigned(SAMPLE, sum))) return { epoch, isSigned }
  if (keys.length === 0) {
    throw new Error('its heads are signed with a key, and none was given; give that of its servers')
  }
  const unsigned = sumsOf(epoch, '')
  const isUnsigned = known.every(([, sum]) => unsigned(SAMPLE) === sum)
  throw new Error(
    isUnsigned
      ? 'no key has signed its heads, and a key was given'
      : 'its heads are signed with none of the keys given',
  )
}

/** Gives the text in the column `sum` of a head under a key. */
function sumsOf(epoch: string, key: string) {
  return ({ thread, seq, hash, ts, adopted }: StoredHead): string => {
    const since = adopted ?? []
    const text = JSON.stringify([epoch, thread, seq, hash, ts, ...since])
    return [createHmac('sha256', key).update(text).digest('hex'), ...since].join(' ')
  }
}

/** The heads in the file that a server keeps outside the database, signed with one of the keys. */
function knownHeads(
  { heads: file, keys }: PostgresToVerify,
  epoch: string,
): ReadonlyMap<string, Anchor> {
  if (!file) return new Map()
  const read = readHeads(file, keys)
  if (!read) throw new Error(`there is no heads file "${file}"`)
  if (read.epoch === epoch) return read.anchors
  throw new Error(`the heads in "${file}" are those of another database`)
}

interface ThreadsToVerify {
  readonly isSigned: IsSigned
  readonly known: ReadonlyMap<string, Anchor>
  readonly wanted: readonly string[]
}

async function verifyThreads(client: Client, threads: ThreadsToVerify, say: Say): Promise<number> {
  const findings = new Set<Finding>()
  const missing = new Set(threads.wanted)
  for await (const judged of judgedThreads(client, threads)) {
    missing.delete(judged.thread)
    for (const finding of report(judged, say)) findings.add(finding)
  }
  for (const thread of missing) findings.add(reportMissing(thread, say))
  const isWhole = threads.wanted.length === 0
  const lost = isWhole ? Number((await client.query<Row>(LOST)).rows[0]?.['n']) : 0
  if (reportLost(lost, say)) findings.add('unsound')
  return exitCodeOf(findings)
}

/** The verdicts on the stored threads, then on known ones that are not stored. */
async function* judgedThreads(
  client: Client,
  { isSigned, known, wanted }: ThreadsToVerify,
): AsyncGenerator<Judged, void> {
  const names = wanted.length > 0 ? wanted : null
  const seen = new Set<string>()
  for (let after: unknown = null; ;) {
    const { rows } = await client.query<Row>(THREADS, [after, names, THREADS_AT_ONCE])
    for (const row of rows) {
      const stored = headIn(row, isSigned)
      const { thread, anchor } = stored
      seen.add(thread)
      const verdict = await verifyThread(client, { ...stored, known: known.get(thread) })
      const isEmpty = verdict.sound && verdict.head.seq === -1
      if (!isEmpty) yield { thread, verdict, anchor }
    }
    if (rows.length < THREADS_AT_ONCE) break
    after = rows.at(-1)?.['number']
  }
  for (const [thread, anchor] of known) {
    const isWanted = names === null || names.includes(thread)
    if (!isWanted || seen.has(thread)) continue
    yield { thread, verdict: reaches({ seq: -1, hash: GENESIS }, anchor), anchor }
  }
}

interface ThreadToVerify {
  readonly thread: string
  readonly number: unknown
  readonly anchor: Anchor | undefined
}

/** A head that no key signed vouches for nothing. */
function headIn(row: Row, isSigned: IsSigned): ThreadToVerify {
  const { number, name, sum } = row
  const place = { seq: Number(row['seq']), hash: String(row['hash']), ts: Number(row['ts']) }
  const [, last, since] = String(sum).split(' ')
  const adopted = since === undefined ? undefined : ([Number(last), Number(since)] as const)
  const head = { ...place, ...(adopted && { adopted }) }
  const thread = String(name)
  const isAnchor = head.seq >= 0 && isSigned({ ...head, thread }, sum)
  return { thread, number, anchor: isAnchor ? { ...head, ranges: [] } : undefined }
}

async function verifyThread(
  client: Client,
  { thread, number, anchor, known }: ThreadToVerify & { readonly known: Anchor | undefined },
): Promise<Verdict> {
  let head: Head = { seq: -1, hash: GENESIS }
  const unsound = (why: string) => ({ sound: false, seq: head.seq + 1, why }) as const
  try {
    for await (const row of rowsOf(client, number)) {
      const expected = expectedAfter(head, { thread, body: row['body'] })
      const why =
        faultIn(row, expected) ?? faultAtAnchor(expected, anchor) ?? faultAtAnchor(expected, known)
      if (why !== undefined) return unsound(why)
      head = { seq: expected.seq, hash: expected.hash }
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    // Postgres says what it cannot read; the rows before it have been checked.
    await client.query('ROLLBACK')
    await client.query(SNAPSHOT)
    return unsound(error.message)
  }
  const verdict = reaches(head, anchor)
  return verdict.sound ? reaches(head, known) : verdict
}

async function* rowsOf(client: Client, number: unknown): AsyncGenerator<Row, void> {
  for (let after: unknown = -1; ;) {
    const { rows } = await client.query<Row>(RECORDS, [number, after, RECORDS_AT_ONCE])
    if (rows.length === 0) return
    yield* rows.map((row) => ({ ...row, seq: Number(row['seq']) }))
    after = rows.at(-1)?.['seq']
  }
}

const SNAPSHOT = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY'
const META = 'SELECT key, value FROM throughline.meta'
const THREADS = `SELECT number, name, seq, hash, ts, sum FROM throughline.threads
  WHERE ($1::bigint IS NULL OR number > $1) AND ($2::text[] IS NULL OR name = ANY ($2)) ORDER BY number LIMIT $3`
/** Postgres knows the length of a stored text without reading the text. */
const RECORDS = `SELECT seq, id::text AS id, hash, 'text' AS type, convert_to(body, 'UTF8') AS body
  FROM (
    SELECT *, row_number() OVER by_seq AS place, sum(octet_length(body)) OVER by_seq AS bytes
    FROM throughline.records WHERE thread = $1 AND seq > $2
    WINDOW by_seq AS (ORDER BY seq) ORDER BY seq LIMIT $3
  ) AS page WHERE bytes <= ${BYTES_AT_ONCE} OR place = 1 ORDER BY seq`
const LOST = `SELECT count(*) AS n FROM throughline.records r
  WHERE NOT EXISTS (SELECT FROM throughline.threads t WHERE t.number = r.thread)`
