import { createHmac } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LogError } from '../log/index.ts'
import type { Anchor } from '../log/index.ts'

/** The file is rewritten when it is twice as long as it was after the last time, and at least this. */
export const REWRITE_BYTES_MIN = 1_048_576

const MAC_CHARS = 64
const FIRST_LINE = 'throughline-heads 1'

export interface HeadsFileTerms {
  readonly path: string
  /** Empty: the lines carry a checksum that anyone could write. */
  readonly key: string
  readonly epoch: string
}

export type Heads = Map<string, Anchor>

/**
 * The heads of all threads in a file beside the database, each line signed, so that a database whose
 * tail is gone does not pass for a shorter one. Lines are only added, until the file is rewritten.
 *
 * A line that does not check is passed over: a crash may leave one, and whoever could forge its
 * absence could as well cut it out.
 */
export class HeadsFile {
  readonly #terms: HeadsFileTerms
  #descriptor: number | undefined
  #bytes = 0
  #rewriteAt = 0
  /** A write stopped in the middle: the next one begins a new line. */
  #torn = false

  constructor(terms: HeadsFileTerms) {
    this.#terms = terms
  }

  /**
   * Reads what is there and begins a file when nothing is.
   *
   * @throws {@link LogError} `configuration` when the file is of another database or key
   */
  open(): Heads {
    const text = readIfThere(this.#terms.path)
    if (text !== undefined) this.#checkFirstLine(text)
    const heads = this.#headsIn(text ?? '')
    this.#rewrite(heads)
    return heads
  }

  /** The newest head that the file vouches for. */
  async find(thread: string): Promise<Anchor | undefined> {
    const text = await readFile(this.#terms.path, 'utf8')
    return this.#headsIn(text, thread).get(thread)
  }

  /** Adds lines. A failure that leaves half a line behind is mended by the next call. */
  add(heads: Iterable<readonly [string, Anchor]>): void {
    const lines = Array.from(heads, ([thread, anchor]) => this.#line(payloadOf(thread, anchor)))
    const bytes = Buffer.from((this.#torn ? '\n' : '') + lines.join(''))
    this.#torn = true
    writeAll(this.#opened(), bytes)
    this.#torn = false
    this.#bytes += bytes.length
    if (this.#bytes > this.#rewriteAt) {
      this.#rewrite(this.#headsIn(readFileSync(this.#terms.path, 'utf8')))
    }
  }

  close(): void {
    if (this.#descriptor === undefined) return
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #opened(): number {
    this.#descriptor ??= openSync(this.#terms.path, 'a')
    return this.#descriptor
  }

  /** Puts a shorter file in the place of this one in one step, so that a crash leaves either. */
  #rewrite(heads: Heads): void {
    const { path, epoch } = this.#terms
    const payloads = Array.from(heads, ([thread, anchor]) => payloadOf(thread, anchor))
    const lines = [`${FIRST_LINE} ${epoch}`, ...payloads].map((payload) => this.#line(payload))
    const bytes = Buffer.from(lines.join(''))
    const fresh = `${path}.new`
    writeWhole(fresh, bytes)
    renameSync(fresh, path)
    syncDirectory(dirname(path))
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#bytes = bytes.length
    this.#rewriteAt = Math.max(REWRITE_BYTES_MIN, 2 * bytes.length)
  }

  #checkFirstLine(text: string): void {
    const { path, epoch } = this.#terms
    const end = text.indexOf('\n')
    const first = text.slice(0, end)
    if (end === -1) return
    const payload = `${FIRST_LINE} ${epoch}`
    if (`${first}\n` === this.#line(payload)) return
    const state = first.endsWith(` ${payload}`) ? 'signed with another key' : 'of another log'
    throw new LogError(
      'configuration',
      `Cannot trust "${path}": it is ${state}; give that key, or remove the file to begin anew`,
    )
  }

  #headsIn(text: string, only?: string): Heads {
    const heads: Heads = new Map()
    const suffix = only === undefined ? '' : ` ${JSON.stringify(only)}`
    for (const line of text.split('\n').slice(1)) {
      if (!line.endsWith(suffix)) continue
      const payload = line.slice(MAC_CHARS + 1)
      if (`${line}\n` !== this.#line(payload)) continue
      const [seq = '', hash = ''] = payload.split(' ', 2)
      // What carries the signature was written by `payloadOf`.
      const thread = JSON.parse(payload.slice(seq.length + hash.length + 2)) as string
      const anchor = { seq: Number(seq), hash }
      if (anchor.seq >= (heads.get(thread)?.seq ?? -1)) heads.set(thread, anchor)
    }
    return heads
  }

  /** The epoch is signed with every line, so that none can be moved to another log's file. */
  #line(payload: string): string {
    const { key, epoch } = this.#terms
    const mac = createHmac('sha256', key).update(`${epoch} ${payload}`).digest('hex')
    return `${mac} ${payload}\n`
  }
}

function payloadOf(thread: string, { seq, hash }: Anchor): string {
  return `${seq} ${hash} ${JSON.stringify(thread)}`
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
