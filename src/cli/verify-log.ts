/**
 * Checks a log by docs/log-format.md alone: it shares no code with what wrote it and needs nothing but
 * Node. Usage: `ANCHOR_KEY=… node verify-log.ts PATH [THREAD…]`; `HEADS_FILE` names the file of heads
 * when it does not lie beside the database.
 *
 * Prints a line per thread. Ends with 0 when all are sound, 1 when one is not, 2 when it cannot tell,
 * 3 when all are sound and some hold records that no head vouches for.
 */
import { createHash, createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const GENESIS = '0'.repeat(64)
const APPLICATION_ID = 0x5468726c
const FORMAT = 2
const MEMBERS = 'seq,id,thread,ts,type,data,origin,v,prev'
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const EXIT = { sound: 0, unsound: 1, cannotTell: 2, unanchored: 3 } as const

export interface Head {
  readonly seq: number
  readonly hash: string
}

export interface Anchor extends Head {
  readonly ts: number
  readonly ranges: readonly (readonly [number, number])[]
  /** The last position before the store had a key, and when the key was adopted. */
  readonly adopted?: readonly [seq: number, ts: number] | undefined
}

/** `sound: false` carries the first bad position and the fault there, in words. */
export type Verdict =
  | { readonly sound: true; readonly head: Head }
  | { readonly sound: false; readonly seq: number; readonly why: string }

class CannotTell extends Error {}

// Not where it is part of the command line program.
if (basename(process.argv[1] ?? '') === 'verify-log.ts') {
  const [, , path, ...wanted] = process.argv
  const { ANCHOR_KEY: key, HEADS_FILE: heads } = process.env
  const { lines, exitCode } = verifyLog(path, { keys: key ? [key] : [], heads, wanted })
  for (const line of lines) process.stdout.write(`${line}\n`)
  process.exitCode = exitCode
}

export interface VerifyOptions {
  /** Any of them may have signed the heads; without any, no key has. */
  readonly keys: readonly string[]
  /** Beside the database where it is not set. */
  readonly heads?: string | undefined
  /** All threads when it names none. */
  readonly wanted?: readonly string[]
}

export function verifyLog(path: string | undefined, options: VerifyOptions) {
  const lines: string[] = []
  try {
    const exitCode = verifyAll(path, options, (line) => lines.push(line))
    return { lines, exitCode }
  } catch (error) {
    lines.push(`cannot tell: ${error instanceof Error ? error.message : String(error)}`)
    return { lines, exitCode: EXIT.cannotTell }
  }
}

export type Say = (line: string) => void

function verifyAll(path: string | undefined, options: VerifyOptions, say: Say): number {
  if (path === undefined) throw new CannotTell('usage: verify-log.ts PATH [THREAD…]')
  requireFile(path, 'file')
  if (options.heads) requireFile(options.heads, 'heads file')
  // Before the database, which may only be ahead of them.
  const heads = readHeads(options.heads || `${path}.heads`, options.keys)
  if (!heads) say('no heads: a tail that is missing cannot be seen')
  const database = open(path)
  try {
    if (heads) checkEpoch(heads.epoch, database)
    return verifyThreads(database, { anchors: heads?.anchors ?? new Map(), ...options }, say)
  } finally {
    database.close()
  }
}

export function requireFile(path: string, what: string): void {
  if (!existsSync(path)) throw new CannotTell(`there is no ${what} "${path}"`)
}

interface ThreadsToVerify extends Pick<VerifyOptions, 'wanted'> {
  readonly anchors: ReadonlyMap<string, Anchor>
}

function verifyThreads(
  database: DatabaseSync,
  { anchors, wanted = [] }: ThreadsToVerify,
  say: Say,
): number {
  const stored = database.prepare('SELECT name FROM threads ORDER BY number').all()
  const known = new Set([...stored.map(({ name }) => String(name)), ...anchors.keys()])
  const findings = new Set<Finding>()
  for (const thread of wanted.length > 0 ? wanted : known) {
    const anchor = anchors.get(thread)
    if (known.has(thread)) {
      const verdict = verifyThread(database, thread, anchor)
      for (const finding of report({ thread, verdict, anchor }, say)) findings.add(finding)
    } else findings.add(reportMissing(thread, say))
  }
  const lost = wanted.length > 0 ? 0 : recordsOfNoThread(database)
  if (reportLost(lost, say)) findings.add('unsound')
  return exitCodeOf(findings)
}

export type Finding = 'unsound' | 'missing' | 'unanchored'

export interface Judged {
  readonly thread: string
  readonly verdict: Verdict
  readonly anchor: Anchor | undefined
}

/** Says the line of a thread, and returns its findings. */
export function report({ thread, verdict, anchor }: Judged, say: Say): readonly Finding[] {
  const ranges = unanchoredIn(verdict, anchor)
  say(lineOf(thread, verdict) + witnessOf(anchor, ranges))
  const findings = { unsound: !verdict.sound, unanchored: ranges.length > 0 } as const
  return (['unsound', 'unanchored'] as const).filter((finding) => findings[finding])
}

export function reportMissing(thread: string, say: Say): Finding {
  say(`cannot tell: there is no thread ${JSON.stringify(thread)}`)
  return 'missing'
}

export function reportLost(records: number, say: Say): boolean {
  if (records > 0) say(`unsound: ${records} records belong to no thread`)
  return records > 0
}

export function exitCodeOf(findings: ReadonlySet<Finding>): number {
  if (findings.has('unsound')) return EXIT.unsound
  if (findings.has('missing')) return EXIT.cannotTell
  return findings.has('unanchored') ? EXIT.unanchored : EXIT.sound
}

function lineOf(thread: string, verdict: Verdict): string {
  const name = JSON.stringify(thread)
  if (!verdict.sound) return `unsound ${name} at ${verdict.seq}: ${verdict.why}`
  return `sound ${name} up to ${verdict.head.seq} ${verdict.head.hash}`
}

/** Ranges on record, and the sound records behind the anchor. */
function unanchoredIn(verdict: Verdict, anchor: Anchor | undefined) {
  const from = (anchor?.seq ?? -1) + 1
  const to = verdict.sound ? verdict.head.seq : verdict.seq - 1
  const ranges = anchor?.ranges ?? []
  return to < from ? ranges : [...ranges, [from, to] as const]
}

function witnessOf(anchor: Anchor | undefined, ranges: Anchor['ranges']): string {
  const parts: string[] = []
  if (anchor) parts.push(`anchored at ${anchor.seq} ${anchor.hash} ${anchor.ts}`)
  const [last, ts] = anchor?.adopted ?? []
  if (last !== undefined) parts.push(`anchored from ${last + 1} on, adopted up to ${last} at ${ts}`)
  if (ranges.length > 0) parts.push(`unanchored ${ranges.map((range) => range.join('-')).join()}`)
  return parts.map((part) => `; ${part}`).join('')
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true })
  // One snapshot of the database for the whole run, despite appends meanwhile.
  database.exec('BEGIN')
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name]
  if (pragma('application_id') !== APPLICATION_ID) throw new CannotTell(`"${file}" is not a log`)
  const format = pragma('user_version')
  if (format !== FORMAT) throw new CannotTell(`"${file}" is a log of format ${String(format)}`)
  return database
}

function verifyThread(database: DatabaseSync, thread: string, anchor: Head | undefined): Verdict {
  let head: Head = { seq: -1, hash: GENESIS }
  const unsound = (why: string, seq = head.seq + 1) => ({ sound: false, seq, why }) as const
  try {
    for (const row of rowsOf(database, thread)) {
      const seq = head.seq + 1
      const expected = expectedAfter(head, { thread, body: row['body'] })
      const why = faultIn(row, expected) ?? faultInIndex(row) ?? faultAtAnchor(expected, anchor)
      if (why !== undefined) return unsound(why)
      head = { seq, hash: expected.hash }
    }
    const last = lastOf(database, thread)
    if (last < head.seq) return unsound('not found from the end', last + 1)
  } catch (error) {
    // SQLite itself says which page it cannot read; the pages before it have been checked.
    return unsound(error instanceof Error ? error.message : String(error))
  }
  return reaches(head, anchor)
}

/** A sound thread that ends before its anchor has lost its tail. */
export function reaches(head: Head, anchor: Head | undefined): Verdict {
  if (!anchor || anchor.seq <= head.seq) return { sound: true, head }
  const why = `missing; the heads say that the thread reaches ${anchor.seq}`
  return { sound: false, seq: head.seq + 1, why }
}

export type Row = Readonly<Record<string, unknown>>

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

interface Expected extends Head {
  readonly thread: string
  readonly prev: string
}

export function expectedAfter(
  head: Head,
  { thread, body }: { readonly thread: string; readonly body: unknown },
): Expected {
  const hash = createHash('sha256').update(`${head.hash}\n`).update(bytesOf(body)).digest('hex')
  return { seq: head.seq + 1, thread, prev: head.hash, hash }
}

/** The fault of a stored record, in words; undefined when it is the right one. */
export function faultIn(row: Row, { seq, thread, prev, hash }: Expected): string | undefined {
  if (row['seq'] !== seq) return `missing; the next one there is ${String(row['seq'])}`
  if (row['hash'] !== hash) return 'its hash is not the one of its bytes and the record before'
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

function faultInIndex(row: Row): string | undefined {
  if (row['by_id'] !== row['number']) return 'its id does not lead to it'
  return row['by_seq'] === row['number'] ? undefined : 'its position does not lead to it'
}

export function faultAtAnchor(
  { seq, hash }: Expected,
  anchor: Head | undefined,
): string | undefined {
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

export function parse(text: string): Row | undefined {
  try {
    const said: unknown = JSON.parse(text)
    // Its members are looked at one by one.
    return typeof said === 'object' && said && !Array.isArray(said) ? (said as Row) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Records that are filed under no name: they could never be read. */
function recordsOfNoThread(database: DatabaseSync): number {
  const row = database
    .prepare('SELECT count(*) AS n FROM records WHERE thread NOT IN (SELECT number FROM threads)')
    .get()
  return Number(row?.['n'])
}

interface Heads {
  readonly epoch: string
  readonly anchors: ReadonlyMap<string, Anchor>
}

type HeadJson = [string, number, string, number, Anchor['ranges']?, Anchor['adopted']?]

/** Undefined where there is no such file. */
export function readHeads(file: string, keys: readonly string[]): Heads | undefined {
  if (!existsSync(file)) return undefined
  const [first = '', ...rest] = signedTexts(file, keys)
  const epoch = /^throughline-heads 2 (.+)$/.exec(first)?.[1]
  if (epoch === undefined) throw new CannotTell(`"${file}" is not a file of heads in format 2`)
  const anchors = new Map<string, Anchor>()
  for (const text of rest.filter((each) => !each.startsWith('["synced",'))) {
    // This line was written with the key.
    for (const [thread, seq, hash, ts, ranges = [], adopted] of JSON.parse(text) as HeadJson[]) {
      anchors.set(thread, { seq, hash, ts, ranges, adopted })
    }
  }
  return { epoch, anchors }
}

/** The texts of the lines, of which each is signed together with the MAC of the line before. */
function signedTexts(file: string, keys: readonly string[]): readonly string[] {
  // The text after the last newline is an unfinished line.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const key = keyOf(file, lines[0] ?? '', keys)
  const texts: string[] = []
  let [before, offset] = [GENESIS, 0]
  for (const [index, line] of lines.entries()) {
    const [mac, text] = [line.slice(0, 64), line.slice(65)]
    if (line !== `${macOf(key, before, text)} ${text}`) {
      if (isLeftByPowerCut(lines.slice(index), offset, key)) break
      throw new CannotTell(`line ${index + 1} of "${file}" is spoiled`)
    }
    texts.push(text)
    before = mac
    offset += Buffer.byteLength(line) + 1
  }
  return texts
}

/** The key that signed the first line, the empty one where none has. */
function keyOf(file: string, line: string, keys: readonly string[]): string {
  const signs = (key: string) => line.slice(0, 64) === macOf(key, GENESIS, line.slice(65))
  const key = (keys.length > 0 ? keys : ['']).find(signs)
  if (key !== undefined) return key
  if (signs('')) throw new CannotTell(`no key has signed "${file}", and a key was given`)
  throw new CannotTell(`"${file}" is signed with none of the keys given (--anchor-key-file)`)
}

function macOf(key: string, before: string, text: string): string {
  return createHmac('sha256', key).update(`${before} ${text}`).digest('hex')
}

/** Lost bytes read as zeros, and no later line says that they were on the disk. */
function isLeftByPowerCut(rest: readonly string[], from: number, key: string): boolean {
  let offset = from
  const wasSynced = rest.some((line) => {
    const mark = `["synced",${offset},"${macOf(key, 'synced', String(offset))}"]`
    offset += Buffer.byteLength(line) + 1
    return line.slice(65) === mark
  })
  return !wasSynced && rest[0]?.includes('\0') === true
}

function checkEpoch(epoch: string, database: DatabaseSync): void {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'epoch'").get()
  if (row?.['value'] !== epoch) throw new CannotTell('the heads are those of another database')
}
