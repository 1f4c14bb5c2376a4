import { closeSync, openSync, readSync } from 'node:fs'
import { EXIT, GENESIS, expectedAfter, faultIn, parse, reportMissing } from './verify-log.ts'
import type { Head, Row, Say } from './verify-log.ts'

/** A body of 1 MiB, the hash behind it, and what of it is stored otherwise than it is read. */
export const EXPORT_LINE_BYTES_MAX = 2 * 1_048_576 + 256
const READ_BYTES = 65_536
const NEWLINE = 10

const HASH = /,"hash":"([0-9a-f]{64})"\}$/
/** What a server shows in the place of data that its reader may not see. */
const REDACTED = '[redacted]'

export const isExport = (store: string): boolean => store.endsWith('.jsonl')

interface Place extends Head {
  readonly thread: string | undefined
}

/** What the lines up to one have shown. */
interface Findings {
  last: Place
  /** The first record that is not as it must be. */
  fault?: string
  /** Why these are not all records as they are stored. */
  partial?: string
  /** Records that hold something sealed. */
  sealed: number
}

/**
 * Checks the records of an export in JSONL: their chain from the first one on, and that the file is whole. No
 * export holds heads, so the end of a thread is not shown.
 *
 * @throws an error that says why there is no verdict
 */
export function verifyExport(file: string, wanted: readonly string[], say: Say): number {
  const { last, fault, partial, sealed } = findingsIn(file)
  const thread = last.thread ?? ''
  const others = wanted.filter((name) => name !== thread)
  for (const name of others) reportMissing(name, say)
  const name = JSON.stringify(thread)
  if (partial !== undefined) {
    const mend = 'export as a role that reads all records'
    throw new Error(`${partial}: a redacted or filtered export cannot be verified; ${mend}`)
  }
  if (fault !== undefined) {
    say(`unsound ${name} ${fault}`)
    say(
      'an export for a role that is shown records in part looks the same: export as one that reads all',
    )
    return EXIT.unsound
  }
  say(`sound ${name} up to ${last.seq} ${last.hash}`)
  say(
    'not shown by an export: whether the thread goes on, and whether its heads vouch for it; ' +
      'verify the store for that, or compare the position and the hash with its anchor',
  )
  if (sealed > 0) {
    say(
      `not vouched for: the words that ${sealed} sealed records show here; ` +
        'their hashes cover what is stored of them, sealed',
    )
  }
  return others.length > 0 ? EXIT.cannotTell : EXIT.sound
}

function findingsIn(file: string): Findings {
  const found: Findings = { last: { seq: -1, hash: GENESIS, thread: undefined }, sealed: 0 }
  let [number, records, end] = [0, 0, -1]
  for (const line of linesOf(file)) {
    number++
    if (end !== -1) throw new Error(`line ${number} of "${file}" comes behind the last line`)
    const said = parse(line.toString())
    if (said === undefined) throw new Error(`line ${number} of "${file}" is not JSON`)
    if (said['complete'] === true) {
      end = Number(said['records'])
      continue
    }
    records++
    takeSealed(found, said)
    take(found, lineAsStored(line.toString(), said), said)
  }
  if (end === -1)
    throw new Error(`"${file}" breaks off: its last line is not that of a whole export`)
  if (records === 0) throw new Error(`"${file}" holds no record`)
  if (end !== records) found.fault ??= `at ${found.last.seq + 1}: the export had ${end} records`
  return found
}

/** What is stored in clear beside what is sealed must be what the export shows. */
function takeSealed(found: Findings, { stored, data, origin, seq }: Row): void {
  if (typeof stored !== 'object' || stored === null) return
  found.sealed++
  const why = whyNotStored({ data, origin }, stored as Row)
  if (why !== undefined) found.fault ??= `at ${Number(seq)}: ${why}`
}

function whyNotStored({ data, origin }: Row, stored: Row): string | undefined {
  const { data: storedData, origin: clearOrigin, ...more } = stored
  if (Object.keys(more).length > 0) return 'its stored form names more than data and origin'
  const clear = clearIn(storedData)
  const isStored = clear
    ? agrees(data, clear.value)
    : JSON.stringify(data) === JSON.stringify(storedData)
  if (isStored && hasNoMore(origin, clearOrigin) && agrees(origin, clearOrigin)) return undefined
  return 'what it shows differs from what is stored in clear'
}

/** The member that holds what is sealed. */
const SEALED = 'throughline.sealed'

/** What of sealed data is stored in clear; nothing where it is not sealed. */
function clearIn(data: unknown): { readonly value: unknown } | undefined {
  const { [SEALED]: found, ...members } = Object(data) as Row
  const seal = Object(found) as Row
  const texts = [seal['key'], seal['iv'], seal['bytes']]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  return { value: Object.hasOwn(seal, 'shown') ? seal['shown'] : members }
}

function agrees(shown: unknown, clear: unknown): boolean {
  if (clear === REDACTED) return true
  if (typeof clear !== 'object' || clear === null) return shown === clear
  if (typeof shown !== 'object' || shown === null) return false
  if (Array.isArray(clear) !== Array.isArray(shown)) return false
  // All items may be sealed.
  if (Array.isArray(clear) && clear.length > 0 && (shown as unknown[]).length !== clear.length)
    return false
  return Object.entries(clear).every(([name, value]) => agrees((shown as Row)[name], value))
}

/** A member that only the export shows is vouched for by nothing. */
function hasNoMore(shown: unknown, stored: unknown): boolean {
  return Object.keys(Object(shown)).every((name) => Object.hasOwn(Object(stored), name))
}

/** The hash of a record covers what is stored of it, which stands behind what its readers get. */
function lineAsStored(line: string, said: Row): string {
  const { stored, ...record } = said
  if (typeof stored !== 'object') return line
  // Members keep their order, and texts and numbers have one spelling each.
  return JSON.stringify({ ...record, ...stored })
}

/** Judges the next record, and goes on from what it says of itself. */
function take(found: Findings, line: string, said: Row): void {
  const { last } = found
  const thread = last.thread ?? String(said['thread'])
  const [, hash = ''] = HASH.exec(line) ?? []
  const body = Buffer.from(line.replace(HASH, '}'))
  const seq = Number(said['seq'])
  const expected = expectedAfter(last, { thread, body })
  const why = faultIn({ seq, id: said['id'], hash, type: 'text', body }, expected)
  if (why !== undefined) {
    if (seq > expected.seq) found.partial ??= `the record ${expected.seq} is left out`
    else if (said['stored'] === undefined && line.includes(`"${REDACTED}"`))
      found.partial ??= `the record ${seq} is shown redacted`
    else found.fault ??= `at ${expected.seq}: ${why}`
  }
  found.last = { seq, hash, thread }
}

function* linesOf(file: string): Generator<Buffer, undefined> {
  const descriptor = openSync(file, 'r')
  try {
    let rest = Buffer.alloc(0)
    const chunk = Buffer.alloc(READ_BYTES)
    for (;;) {
      const read = readSync(descriptor, chunk, 0, READ_BYTES, null)
      if (read === 0) break
      rest = Buffer.concat([rest, chunk.subarray(0, read)])
      let at = 0
      for (let end; (end = rest.indexOf(NEWLINE, at)) !== -1; at = end + 1)
        yield rest.subarray(at, end)
      rest = rest.subarray(at)
      if (rest.length > EXPORT_LINE_BYTES_MAX)
        throw new Error(`a line of "${file}" is longer than a record`)
    }
    if (rest.length > 0) yield rest
  } finally {
    closeSync(descriptor)
  }
}
