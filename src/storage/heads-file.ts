import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { LogError } from '../log/index.ts'
import type { Anchor } from '../log/index.ts'
import { hmacSha256 } from './hmac-sha256.ts'

/** The file is rewritten once it has grown by its own length, and at least by this. */
export const REWRITE_BYTES_MIN = 4_194_304
/** Heads that share a line when the file is rewritten. */
const HEADS_PER_LINE = 256

const MAC_CHARS = 64
const FIRST_LINE = 'throughline-heads 1'

export interface HeadsFileTerms {
  readonly path: string
  /** Empty: the lines carry a checksum that anyone could write. */
  readonly key: string
  readonly epoch: string
}

/** The last record of each thread, by the thread's name. */
export type Heads = Map<string, Anchor>

/**
 * The heads of all threads in a file beside the database, each line signed, so that a database whose
 * tail is gone does not pass for a shorter one. Lines are added, until the file is rewritten.
 *
 * A line that does not check is passed over: a crash may leave one, and whoever can spoil a line can
 * as well cut it out.
 */
export class HeadsFile {
  readonly #terms: HeadsFileTerms
  readonly #hmac: (text: string) => string
  #descriptor: number | undefined
  /** What was added since the file was last rewritten, and of that, what is not written yet. */
  readonly #recent: Heads = new Map()
  readonly #unwritten: Heads = new Map()
  /** A write may have stopped in the middle: the next one begins a new line. */
  #torn = false
  #rewrittenBytes = 0
  #addedBytes = 0

  constructor(terms: HeadsFileTerms) {
    this.#terms = terms
    this.#hmac = hmacSha256(terms.key)
  }

  /**
   * Reads what is there and begins a file when nothing is.
   *
   * @throws {@link LogError} `configuration` when the file is of another log or key
   */
  open(): Heads {
    const text = readIfThere(this.#terms.path)
    if (text !== undefined) this.#checkFirstLine(text)
    const heads = this.#headsIn(text ?? '')
    this.#rewrite(heads)
    return heads
  }

  /** Takes up a file that was opened elsewhere, and has been closed there. */
  goOn(): void {
    this.#rewrittenBytes = statSync(this.#terms.path).size
  }

  /** The head that the file holds for a thread, whoever added it. */
  find(thread: string): Anchor | undefined {
    const name = JSON.stringify(thread)
    const text = readFileSync(this.#terms.path, 'utf8')
    // Only what may speak of the thread is worth a signature.
    const lines = text.split('\n').filter((line, index) => index === 0 || line.includes(name))
    return this.#headsIn(lines.join('\n')).get(thread)
  }

  /**
   * Adds a line. What could not be written is written with the next one.
   *
   * The system is not asked to put it on the disk: after a power cut the file may lag behind the
   * database, which does no harm, and it never runs ahead of it.
   */
  add(heads: Iterable<readonly [string, Anchor]>): void {
    for (const [thread, { seq, hash }] of heads) this.#unwritten.set(thread, { seq, hash })
    if (this.#unwritten.size === 0) return
    const bytes = Buffer.from((this.#torn ? '\n' : '') + this.#line(payloadOf(this.#unwritten)))
    this.#torn = true
    this.#descriptor ??= openSync(this.#terms.path, 'a')
    writeAll(this.#descriptor, bytes)
    this.#torn = false
    for (const [thread, head] of this.#unwritten) this.#recent.set(thread, head)
    this.#unwritten.clear()
    this.#addedBytes += bytes.length
    if (this.#addedBytes > Math.max(REWRITE_BYTES_MIN, this.#rewrittenBytes)) {
      this.#rewrite(new Map([...this.#rewrittenHeads(), ...this.#recent]))
    }
  }

  close(): void {
    if (this.#descriptor === undefined) return
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #rewrittenHeads(): Heads {
    const bytes = readFileSync(this.#terms.path).subarray(0, this.#rewrittenBytes)
    return this.#headsIn(bytes.toString('utf8'))
  }

  /** Puts a shorter file in the place of this one in one step, so that a crash leaves either. */
  #rewrite(heads: Heads): void {
    const { path, epoch } = this.#terms
    const all = [...heads]
    let text = this.#line(`${FIRST_LINE} ${epoch}`)
    for (let at = 0; at < all.length; at += HEADS_PER_LINE) {
      text += this.#line(payloadOf(all.slice(at, at + HEADS_PER_LINE)))
    }
    const bytes = Buffer.from(text)
    writeWhole(`${path}.new`, bytes)
    renameSync(`${path}.new`, path)
    syncDirectory(dirname(path))
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#rewrittenBytes = bytes.length
    this.#addedBytes = 0
    this.#recent.clear()
  }

  #checkFirstLine(text: string): void {
    const { path, epoch } = this.#terms
    const end = text.indexOf('\n')
    if (end === -1) return
    const first = text.slice(0, end)
    const payload = `${FIRST_LINE} ${epoch}`
    if (`${first}\n` === this.#line(payload)) return
    const state = first.endsWith(` ${payload}`) ? 'signed with another key' : 'of another log'
    throw new LogError(
      'configuration',
      `Cannot trust "${path}": it is ${state}; give that key, or remove the file to begin anew`,
    )
  }

  #headsIn(text: string): Heads {
    const heads: Heads = new Map()
    for (const line of text.split('\n').slice(1)) {
      const payload = line.slice(MAC_CHARS + 1)
      if (`${line}\n` !== this.#line(payload)) continue
      for (const [thread, seq, hash] of headsOf(payload)) {
        // An old line that was put back later vouches for less, not for something else.
        if (seq >= (heads.get(thread)?.seq ?? -1)) heads.set(thread, { seq, hash })
      }
    }
    return heads
  }

  /** The epoch is signed with every line, so that none can be moved to another log's file. */
  #line(payload: string): string {
    return `${this.#hmac(`${this.#terms.epoch} ${payload}`)} ${payload}\n`
  }
}

function payloadOf(heads: Iterable<readonly [string, Anchor]>): string {
  const all = Array.from(heads, ([thread, { seq, hash }]) => {
    return `[${JSON.stringify(thread)},${seq},"${hash}"]`
  })
  return `[${all.join()}]`
}

function headsOf(payload: string): readonly [string, number, string][] {
  // What carries the signature was written by `payloadOf`.
  return JSON.parse(payload) as [string, number, string][]
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}

function writeWhole(path: string, bytes: Buffer): void {
  const descriptor = openSync(path, 'w')
  try {
    writeAll(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
