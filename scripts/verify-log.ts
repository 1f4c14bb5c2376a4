/**
 * Checks a log by docs/log-format.md alone: it shares no code with what wrote it and needs nothing but
 * Node. Usage: `ANCHOR_KEY=… node verify-log.ts PATH [THREAD…]`
 *
 * Prints a line per thread. Ends with 0 when all are sound, 1 when one is not, 2 when it cannot tell.
 */
import { createHash, createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const [, , path, ...wanted] = process.argv
const key = process.env['ANCHOR_KEY'] ?? ''

const GENESIS = '0'.repeat(64)
const APPLICATION_ID = 0x5468726c
const FORMAT = 2
const MEMBERS = 'seq,id,thread,ts,type,data,origin,v,prev'
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface Head {
  readonly seq: number
  readonly hash: string
}

type Verdict =
  | { readonly sound: true; readonly head: Head }
  | { readonly sound: false; readonly seq: number; readonly why: string }

class CannotTell extends Error {}

try {
  process.exitCode = verifyAll() ? 0 : 1
} catch (error) {
  console.log(`cannot tell: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}

function verifyAll(): boolean {
  if (path === undefined) throw new CannotTell('usage: verify-log.ts PATH [THREAD…]')
  // Before the database, which may only be ahead of them.
  const heads = readHeads(`${path}.heads`)
  const database = open(path)
  if (heads) checkEpoch(heads.epoch, database)
  else console.log('no heads beside the database: a tail that is missing cannot be seen')
  const anchors = heads?.anchors ?? new Map<string, Head>()
  const stored = database.prepare('SELECT name FROM threads ORDER BY number').all()
  const known = new Set([...stored.map(({ name }) => String(name)), ...anchors.keys()])
  const threads = wanted.length > 0 ? wanted : [...known]
  const verdicts = threads.map((thread) => {
    const verdict = verifyThread(database, thread, anchors.get(thread))
    console.log(lineOf(thread, verdict))
    return verdict.sound
  })
  const allSound = verdicts.every((sound) => sound)
  return (wanted.length > 0 || nobodysRecords(database) === 0) && allSound
}

function lineOf(thread: string, verdict: Verdict): string {
  const name = JSON.stringify(thread)
  if (!verdict.sound) return `unsound ${name} at ${verdict.seq}: ${verdict.why}`
  return `sound ${name} up to ${verdict.head.seq} ${verdict.head.hash}`
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true })
  // One view of it all, however long this takes and whatever is appended meanwhile.
  database.exec('BEGIN')
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name]
  if (pragma('application_id') !== APPLICATION_ID) throw new CannotTell(`"${file}" is not a log`)
  const format = pragma('user_version')
  if (format !== FORMAT) throw new CannotTell(`"${file}" is a log of format ${String(format)}`)
  return database
}

function verifyThread(database: DatabaseSync, thread: string, anchor: Head | undefined): Verdict {
  let head: Head = { seq: -1, hash: GENESIS }
  try {
    for (const row of rowsOf(database, thread)) {
      const seq = head.seq + 1
      const hash = createHash('sha256').update(`${head.hash}\n`).update(bytesOf(row['body']))
      const expected = { seq, thread, prev: head.hash, hash: hash.digest('hex') }
      const why = faultIn(row, expected) ?? faultAtAnchor(expected, anchor)
      if (why !== undefined) return { sound: false, seq, why }
      head = { seq, hash: expected.hash }
    }
    const last = lastOf(database, thread)
    if (last < head.seq) return { sound: false, seq: last + 1, why: 'not found from the end' }
  } catch (error) {
    // SQLite itself says which page it cannot read; what came before it has been checked.
    const why = error instanceof Error ? error.message : String(error)
    return { sound: false, seq: head.seq + 1, why }
  }
  if (anchor && anchor.seq > head.seq) {
    const why = `missing; the heads say that the thread reaches ${anchor.seq}`
    return { sound: false, seq: head.seq + 1, why }
  }
  return { sound: true, head }
}

type Row = Readonly<Record<string, unknown>>

function rowsOf(database: DatabaseSync, thread: string): Iterable<Row> {
  return database
    .prepare(
      `SELECT number, seq, id, hash, typeof(body) AS type, CAST(body AS BLOB) AS body,
        (SELECT i.number FROM records i INDEXED BY records_by_id
          WHERE i.id = r.id AND i.thread = r.thread) AS by_id,
        (SELECT i.number FROM records i INDEXED BY records_by_seq
          WHERE i.thread = r.thread AND i.seq = r.seq) AS by_seq
      FROM records r WHERE thread = (SELECT number FROM threads WHERE name = ?) ORDER BY seq`,
    )
    .iterate(thread)
}

function lastOf(database: DatabaseSync, thread: string): number {
  const of = 'thread = (SELECT number FROM threads WHERE name = ?)'
  const last = database.prepare(`SELECT seq FROM records WHERE ${of} ORDER BY seq DESC LIMIT 1`)
  return Number(last.get(thread)?.['seq'] ?? -1)
}

interface Expected {
  readonly seq: number
  readonly thread: string
  readonly prev: string
  readonly hash: string
}

/** What is wrong with a stored record, in words; nothing when it is the one that belongs here. */
function faultIn(row: Row, { seq, thread, prev, hash }: Expected): string | undefined {
  if (row['seq'] !== seq) return `missing; the next one there is ${String(row['seq'])}`
  if (row['hash'] !== hash) return 'its hash is not the one of its bytes and the record before'
  if (row['by_id'] !== row['number']) return 'its id does not lead to it'
  if (row['by_seq'] !== row['number']) return 'its position does not lead to it'
  const text = row['type'] === 'text' ? textOf(row['body']) : undefined
  const said = text === undefined ? undefined : parse(text)
  if (said === undefined) return 'its body is not JSON in UTF-8'
  if (JSON.stringify(said) !== text || Object.keys(said).join() !== MEMBERS) {
    return 'its body is spelt otherwise'
  }
  const { id } = row
  for (const [member, value] of Object.entries({ seq, id, thread, prev })) {
    if (said[member] !== value) return `its body has another ${member}`
  }
  return undefined
}

function faultAtAnchor({ seq, hash }: Expected, anchor: Head | undefined): string | undefined {
  if (anchor?.seq !== seq || anchor.hash === hash) return undefined
  return 'the heads have another hash for it: the thread was written anew'
}

function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}

function textOf(body: unknown): string | undefined {
  try {
    return UTF8.decode(bytesOf(body))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function parse(text: string): Row | undefined {
  try {
    const said: unknown = JSON.parse(text)
    const isObject = typeof said === 'object' && said !== null && !Array.isArray(said)
    // Its members are looked at one by one.
    return isObject ? (said as Row) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Records that are filed under no name: nobody could ever read them. */
function nobodysRecords(database: DatabaseSync): number {
  const row = database
    .prepare('SELECT count(*) AS n FROM records WHERE thread NOT IN (SELECT number FROM threads)')
    .get()
  const count = Number(row?.['n'])
  if (count > 0) console.log(`unsound: ${count} records belong to no thread`)
  return count
}

interface Heads {
  readonly epoch: string
  readonly anchors: ReadonlyMap<string, Head>
}

function readHeads(file: string): Heads | undefined {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  // What follows the last newline was not finished.
  lines.pop()
  const [first, ...rest] = lines
  if (first === undefined) return undefined
  const epoch = /^[\da-f]{64} throughline-heads 1 (.+)$/.exec(first)?.[1] ?? ''
  if (!isSigned(first, epoch)) {
    throw new CannotTell(`"${file}" is not signed with this ANCHOR_KEY`)
  }
  const anchors = new Map<string, Head>()
  for (const line of rest.filter((each) => isSigned(each, epoch))) {
    // Whoever holds the key wrote what stands here.
    for (const [thread, seq, hash] of JSON.parse(line.slice(65)) as [string, number, string][]) {
      if (seq >= (anchors.get(thread)?.seq ?? -1)) anchors.set(thread, { seq, hash })
    }
  }
  return { epoch, anchors }
}

function isSigned(line: string, epoch: string): boolean {
  const mac = createHmac('sha256', key)
    .update(`${epoch} ${line.slice(65)}`)
    .digest('hex')
  return line.startsWith(`${mac} `)
}

function checkEpoch(epoch: string, database: DatabaseSync): void {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'epoch'").get()
  if (row?.['value'] !== epoch) throw new CannotTell('the heads are those of another database')
}
