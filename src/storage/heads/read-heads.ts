import { LogError } from '../../log/index.ts'
import type { AnchoredHead } from './anchored-head.ts'
import {
  FIRST_LINE,
  NO_MAC,
  decodeHeads,
  firstNameIn,
  isSyncedMark,
  isSigned,
  lineIn,
  lineSigner,
  wholeLines,
} from './heads-lines.ts'
import type { LineSigner } from './heads-lines.ts'
import type { UnsignedHeads } from './heads-options.ts'
import { MEND, UnknownKeyError } from './unknown-key-error.ts'

export interface TrustTerms {
  readonly path: string
  /** The first signs, all are accepted. */
  readonly signers: readonly LineSigner[]
  readonly epoch: string
  /** How to mend a file that cannot be trusted; by default with acceptHeads. */
  readonly mend?: string
  /** What becomes of a file that no key has signed, where there are keys; by default it is refused. */
  readonly unsigned?: UnsignedHeads
}

/** Signs for a log without keys. */
const checksum = lineSigner('')

/** A line of the sorted part of the file, which stays on the disk. */
export interface Block {
  readonly first: string
  readonly before: string
  readonly mac: string
  readonly offset: number
  readonly length: number
}

/** The content of a heads file up to a line. */
export interface ReadHeads {
  readonly sign: LineSigner
  readonly blocks: Block[]
  /** The heads in the lines after the sorted part. */
  readonly added: Map<string, AnchoredHead>
  /** The end of the sorted part; undefined until it is read. */
  sortedEnd: number | undefined
  /** The end of the last line, and its MAC. */
  size: number
  mac: string
  /** The last line says that all before it are on the disk. */
  isSynced: boolean
  readonly signedBy: 'the first key' | 'another key' | 'no key'
}

export function nothingRead(
  sign: LineSigner,
  signedBy: ReadHeads['signedBy'] = 'the first key',
): ReadHeads {
  const start = { sortedEnd: undefined, size: 0, mac: NO_MAC, isSynced: false }
  return { sign, blocks: [], added: new Map(), ...start, signedBy }
}

/**
 * Reads a heads file as far as its lines are signed. A rest that a crash may leave is passed over.
 *
 * @throws {@link LogError} `configuration` when the file is of another store or key, or spoiled
 */
export function readHeads(bytes: Buffer, terms: TrustTerms): ReadHeads {
  const sign = signerOf(bytes, terms)
  const isFirst = sign === terms.signers[0]
  const other = sign === checksum ? 'no key' : 'another key'
  const read = nothingRead(sign, isFirst ? 'the first key' : other)
  const rest = readOn(read, bytes)
  if (mayBeLeftByCrash(rest, read)) return read
  const line = [...wholeLines(bytes.subarray(0, read.size))].length + 1
  throw untrusted(terms, `line ${line} is spoiled;`)
}

/** Reads the next lines, and returns those whose signature is wrong. */
export function readOn(read: ReadHeads, bytes: Buffer): Buffer {
  const start = read.size
  for (const [line, offset] of wholeLines(bytes)) {
    if (!isSigned(line, read)) return bytes.subarray(offset)
    takeLine(read, line, start + offset)
  }
  return bytes.subarray(read.size - start)
}

function takeLine(read: ReadHeads, line: Buffer, offset: number): void {
  const { mac, text, textStart } = lineIn(line)
  const isMark = isSyncedMark(text, offset, read.sign)
  const isFirst = read.size === 0
  const before = read.mac
  read.mac = mac
  read.size = offset + line.length + 1
  read.isSynced = isMark
  if (isMark) read.sortedEnd ??= read.size
  if (isMark || isFirst) return
  if (read.sortedEnd === undefined) {
    const at = { offset: offset + textStart, length: text.length }
    read.blocks.push({ first: firstNameIn(text), before, mac, ...at })
  } else {
    for (const [thread, head] of decodeHeads(text.toString())) read.added.set(thread, head)
  }
}

/** Finds the key by the first line, which names the format and the store. */
function signerOf(bytes: Buffer, terms: TrustTerms): LineSigner {
  const [[line] = [Buffer.alloc(0)]] = wholeLines(bytes)
  const [, epoch] = FIRST_LINE.exec(lineIn(line).text.toString()) ?? []
  if (epoch === undefined) throw untrusted(terms, 'its first line is spoiled;')
  if (epoch !== terms.epoch) throw untrusted(terms, 'it belongs to another store;')
  const signs = (sign: LineSigner) => isSigned(line, { sign, mac: NO_MAC })
  const sign = terms.signers.find(signs)
  if (sign) return sign
  if (!signs(checksum)) throw new UnknownKeyError(terms.path, terms.mend)
  if (terms.unsigned === 'adopt') return checksum
  const state = 'no key has signed it, and its store adopts none'
  throw untrusted(terms, `${state}; leave the keys out if it never had any; otherwise`)
}

/** Whether a key has signed these heads, or nobody could tell. */
export function isSignedByKey(bytes: Buffer): boolean {
  const [[line] = [Buffer.alloc(0)]] = wholeLines(bytes)
  return !isSigned(line, { sign: checksum, mac: NO_MAC })
}

/**
 * A crash may cut the last line, and a power cut may lose anything that was not on the disk yet, which
 * then reads as zeros. Bytes before a mark were on the disk.
 */
function mayBeLeftByCrash(rest: Buffer, { sign, size }: ReadHeads): boolean {
  const [first] = wholeLines(rest)
  if (!first) return true
  if (!first[0].includes(0)) return false
  for (const [line, offset] of wholeLines(rest)) {
    if (isSyncedMark(lineIn(line).text, size + offset, sign)) return false
  }
  return true
}

export function missingFile({ path, mend = MEND }: Pick<TrustTerms, 'path' | 'mend'>): LogError {
  const state = `the heads file "${path}" is missing, and the store holds records`
  return new LogError('configuration', `Cannot open the log: ${state}; ${mend}`)
}

function untrusted({ path, mend = MEND }: TrustTerms, state: string): LogError {
  return new LogError('configuration', `Cannot trust the heads file "${path}": ${state} ${mend}`)
}
