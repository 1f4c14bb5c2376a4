import type { AnchoredHead, SeqRange } from './anchored-head.ts'
import { hmacSha256 } from './hmac-sha256.ts'

const MAC_CHARS = 64
const BLANK = 32
const NEWLINE = 10
const QUOTE = 34
/** A thread's name as JSON and the brackets before it take less. */
const FIRST_NAME_BYTES_MAX = 2_048

export const FIRST_LINE = /^throughline-heads 2 (.+)$/
/** Replaces the MAC of the line before in the MAC of the first line. */
export const NO_MAC = '0'.repeat(MAC_CHARS)

export type NamedHead = readonly [thread: string, head: AnchoredHead]

export function byName([one]: NamedHead, [other]: NamedHead): number {
  return one < other ? -1 : 1
}

/** Signs the text of a line together with the MAC of the line before. */
export type LineSigner = (before: string, text: Uint8Array) => string

type HeadJson = readonly [
  thread: string,
  seq: number,
  hash: string,
  ts: number,
  ranges?: readonly SeqRange[],
  adopted?: readonly [seq: number, ts: number],
]

/**
 * The text of a line that says: every byte before this line was on the disk when it was written. It
 * is signed by itself too, so that it can be trusted where a line before it cannot.
 */
export function syncedMark(offset: number, sign: LineSigner): string {
  return `["synced",${offset},"${sign('synced', Buffer.from(String(offset)))}"]`
}

/** True of a mark at the place where it was written. */
export function isSyncedMark(text: Buffer, offset: number, sign: LineSigner): boolean {
  // The text of heads begins with two brackets.
  return text[1] === QUOTE && text.toString('latin1') === syncedMark(offset, sign)
}

export function lineSigner(key: string): LineSigner {
  const hmac = hmacSha256(key)
  return (before, text) => hmac(Buffer.from(`${before} `), text)
}

export function encodeHeads(heads: readonly NamedHead[]): string {
  const all = heads.map(([thread, { seq, hash, ts, unanchored, adopted }]): HeadJson => {
    if (adopted) return [thread, seq, hash, ts, unanchored, [adopted.seq, adopted.ts]]
    return unanchored.length > 0 ? [thread, seq, hash, ts, unanchored] : [thread, seq, hash, ts]
  })
  return JSON.stringify(all)
}

export function decodeHeads(text: string): NamedHead[] {
  // Only called with a text whose MAC was checked, so `encodeHeads` made it.
  return (JSON.parse(text) as HeadJson[]).map(([thread, seq, hash, ts, unanchored = [], since]) => {
    const adopted = since && { seq: since[0], ts: since[1] }
    return [thread, { seq, hash, ts, unanchored, ...(adopted && { adopted }) }]
  })
}

export function firstNameIn(text: Buffer): string {
  const start = text.toString('utf8', 0, FIRST_NAME_BYTES_MAX)
  const [name = '""'] = /"(?:[^"\\]|\\.)*"/.exec(start) ?? []
  return String(JSON.parse(name))
}

export function lineIn(line: Buffer) {
  const textStart = MAC_CHARS + 1
  const mac = line.toString('latin1', 0, MAC_CHARS)
  return { mac, text: line.subarray(textStart), textStart }
}

export function isSigned(
  line: Buffer,
  { sign, mac: before }: { readonly sign: LineSigner; readonly mac: string },
): boolean {
  const { mac, text } = lineIn(line)
  return line[MAC_CHARS] === BLANK && sign(before, text) === mac
}

/** Yields the whole lines of a file, without their newlines, and where they begin. */
export function* wholeLines(bytes: Buffer): Generator<readonly [line: Buffer, offset: number]> {
  for (let at = 0; ;) {
    const end = bytes.indexOf(NEWLINE, at)
    if (end === -1) return
    yield [bytes.subarray(at, end), at]
    at = end + 1
  }
}
