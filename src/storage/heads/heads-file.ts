import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder.ts'
import { LogError } from '../../log/index.ts'
import { adoptedHeads, headAfter } from './anchored-head.ts'
import type { AnchoredHead, Move } from './anchored-head.ts'
import { byName, decodeHeads, encodeHeads, lineSigner, syncedMark } from './heads-lines.ts'
import type { LineSigner, NamedHead } from './heads-lines.ts'
import type { UnsignedHeads } from './heads-options.ts'
import { makePrivateFile } from '../files/private-file.ts'
import { storageError } from '../files/storage-error.ts'
import { missingFile, nothingRead, readHeads, readOn } from './read-heads.ts'
import type { Block, ReadHeads, TrustTerms } from './read-heads.ts'
import { sortedFile } from './sort-heads.ts'

/** The file is rewritten once it has grown by this, and by this share of its sorted part. */
export const REWRITE_BYTES_MIN = 2_097_152
const REWRITE_SHARE = 0.25

export interface HeadsTerms extends Omit<TrustTerms, 'signers' | 'unsigned'> {
  /** The first signs, all are accepted. Without any the lines carry a checksum that anyone could write. */
  readonly keys: readonly string[]
}

/**
 * The heads of all threads in a file outside the database, each line signed, so that a database whose
 * tail is gone does not pass for a shorter one, nor a forged record for one of ours.
 *
 * Lines are added, until the file is rewritten with one head for each thread, sorted by name. Only
 * the lines added since then are held in memory; the others are read when one of them is asked for.
 */
export class HeadsFile {
  readonly #terms: HeadsTerms
  readonly #signers: readonly LineSigner[]
  readonly #sign: LineSigner
  #descriptor: number | undefined
  #read: ReadHeads
  /** Heads of commits whose line could not be written yet. */
  readonly #unwritten = new Map<string, AnchoredHead>()
  /** A write may have stopped in the middle of a line. */
  #torn = false

  constructor(terms: HeadsTerms) {
    this.#terms = terms
    this.#sign = lineSigner(terms.keys[0] ?? '')
    this.#signers = [this.#sign, ...terms.keys.slice(1).map(lineSigner)]
    this.#read = nothingRead(this.#sign)
  }

  /**
   * Checks the whole file, and begins one for a store without records. Only the process that holds the
   * write lock may call it. Returns whether the file has adopted its key: from then on the key vouches for
   * what no key had signed.
   *
   * @throws {@link LogError} `configuration` when the file is missing, damaged or of another log
   */
  open(store: 'holds records' | 'is empty', unsigned: UnsignedHeads = 'refuse'): boolean {
    const isNew = store === 'is empty' && this.isMissing()
    if (isNew) this.begin([])
    const descriptor = (this.#descriptor ??= this.#load(unsigned))
    makePrivateFile(this.#terms.path)
    const { signedBy, isSynced, size } = this.#read
    if (signedBy !== 'the first key') {
      const isAdopted = signedBy === 'no key'
      this.begin(isAdopted ? adoptedHeads(this.#entries(), Date.now()) : this.#entries())
      return isAdopted
    }
    // Into another file, so that a stopped process that wakes up after all cannot write to this one.
    if (!isSynced) this.#replace(readBytes(descriptor, 0, size), this.#read)
    else ftruncateSync(descriptor, size)
    this.#markSynced()
    return false
  }

  /** An empty file is what a full disk leaves of one that was never begun. */
  isMissing(): boolean {
    return (statSync(this.#terms.path, { throwIfNoEntry: false })?.size ?? 0) === 0
  }

  /** Puts a sorted file in the place of whatever is there. */
  begin(heads: Iterable<NamedHead>): void {
    const { epoch } = this.#terms
    const { bytes, read } = sortedFile(heads, { sign: this.#sign, epoch })
    this.#replace(bytes, read)
  }

  /** In one step, so that a crash leaves either file. */
  #replace(bytes: Buffer, read: ReadHeads): void {
    const { path } = this.#terms
    const descriptor = createFile(`${path}.new`, bytes)
    renameSync(`${path}.new`, path)
    syncFolder(dirname(path))
    this.#forget()
    this.#descriptor = descriptor
    this.#read = read
  }

  /** The head that the file holds for a thread, from any process. */
  find(thread: string): AnchoredHead | undefined {
    this.#catchUp()
    return this.#lookUp(thread)
  }

  threadsNotIn(stored: ReadonlySet<string>): readonly string[] {
    return Array.from(this.heads(), ([name]) => name).filter((name) => !stored.has(name))
  }

  /** All heads, from any process, sorted by the names of their threads. */
  heads(): Iterable<NamedHead> {
    this.#catchUp()
    return this.#entries()
  }

  /**
   * Writes down where a commit has taken its threads. What cannot be written waits for {@link flush}.
   *
   * The system is not asked to put the line on the disk: after a power cut the file may lag behind the
   * database, and never runs ahead of it.
   */
  add(moves: Iterable<readonly [thread: string, move: Move]>): void {
    const ts = Date.now()
    for (const [thread, move] of moves) {
      if (move.seq === move.before) continue
      const last = this.#unwritten.get(thread) ?? this.#lookUp(thread)
      this.#unwritten.set(thread, headAfter(last, move, ts))
    }
    this.flush()
  }

  /** Adds before any record of a commit is acknowledged. Returns a failure after which none may be. */
  tryAdd(moves: Iterable<readonly [thread: string, move: Move]>): LogError | null {
    try {
      this.add(moves)
      return null
    } catch (error) {
      const failure = storageError('write down the heads', error)
      // On a full disk they wait for space, as the appends do.
      return failure.code === 'storage_full' ? null : failure
    }
  }

  flush(): void {
    if (this.#unwritten.size === 0) return
    this.#append(encodeHeads([...this.#unwritten]))
    for (const [thread, head] of this.#unwritten) this.#read.added.set(thread, head)
    this.#unwritten.clear()
    const { size, sortedEnd = 0 } = this.#read
    const limit = Math.max(REWRITE_BYTES_MIN, sortedEnd * REWRITE_SHARE)
    if (size - sortedEnd > limit) this.begin(this.#entries())
  }

  close(): void {
    if (this.#descriptor === undefined) return
    // A process that took the log over has gone on with the file: then it is left alone.
    if (!this.#hasChanged(this.#descriptor)) this.#markSynced()
    this.#forget()
  }

  #lookUp(thread: string): AnchoredHead | undefined {
    this.#opened()
    const { added, blocks } = this.#read
    const found = added.get(thread)
    if (found) return found
    let [low, high] = [0, blocks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((blocks[middle]?.first ?? '') <= thread) low = middle + 1
      else high = middle
    }
    const block = blocks[low - 1]
    return block && this.#headsIn(block).find(([name]) => name === thread)?.[1]
  }

  #headsIn({ before, mac, offset, length }: Block): NamedHead[] {
    const text = readBytes(this.#opened(), offset, length)
    if (this.#read.sign(before, text) === mac) return decodeHeads(text.toString())
    throw this.#changed()
  }

  *#entries(): Generator<NamedHead, undefined> {
    const added = [...this.#read.added].toSorted(byName)
    let at = 0
    for (const block of this.#read.blocks) {
      for (const sorted of this.#headsIn(block)) {
        for (let next = added[at]; next && next[0] < sorted[0]; next = added[++at]) yield next
        yield added[at]?.[0] === sorted[0] ? (added[at++] ?? sorted) : sorted
      }
    }
    yield* added.slice(at)
  }

  #append(text: string): void {
    const descriptor = this.#opened()
    const mac = this.#sign(this.#read.mac, Buffer.from(text))
    const line = Buffer.from(`${mac} ${text}\n`)
    if (this.#torn) ftruncateSync(descriptor, this.#read.size)
    this.#torn = true
    writeFileSync(descriptor, line)
    this.#torn = false
    this.#read.mac = mac
    this.#read.size += line.length
    this.#read.isSynced = false
  }

  #markSynced(): void {
    if (this.#read.isSynced) return
    fsyncSync(this.#opened())
    this.#append(syncedMark(this.#read.size, this.#sign))
    this.#read.isSynced = true
    this.#read.sortedEnd ??= this.#read.size
    fsyncSync(this.#opened())
  }

  /** Reads what another thread of this process has written meanwhile. */
  #catchUp(): void {
    const descriptor = this.#opened()
    if (!this.#hasChanged(descriptor)) return
    const { ino, size: end } = fstatSync(descriptor)
    if (statSync(this.#terms.path, { throwIfNoEntry: false })?.ino !== ino) {
      this.#forget()
      this.#opened()
      return
    }
    const { size } = this.#read
    if (end < size) throw this.#changed()
    // Half a line is still being written.
    const rest = readOn(this.#read, readBytes(descriptor, size, end - size))
    if (rest.includes('\n')) throw this.#changed()
  }

  #hasChanged(descriptor: number): boolean {
    const there = statSync(this.#terms.path, { throwIfNoEntry: false })
    return there?.ino !== fstatSync(descriptor).ino || there.size !== this.#read.size
  }

  #changed(): LogError {
    const state = 'it was changed while the log is open'
    return new LogError('corrupt', `Cannot read the heads file "${this.#terms.path}": ${state}`)
  }

  #opened(): number {
    this.#descriptor ??= this.#load()
    return this.#descriptor
  }

  #load(unsigned?: UnsignedHeads): number {
    const descriptor = openExisting(this.#terms)
    try {
      const terms = { ...this.#terms, signers: this.#signers, ...(unsigned && { unsigned }) }
      this.#read = readHeads(readFileSync(descriptor), terms)
      return descriptor
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  }

  #forget(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#torn = false
  }
}

function openExisting(terms: HeadsTerms): number {
  try {
    return openSync(terms.path, constants.O_RDWR | constants.O_APPEND)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw missingFile(terms)
    }
    throw error
  }
}

/** Returns once the file is on the disk. */
function createFile(path: string, bytes: Buffer): number {
  const { O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = constants
  const descriptor = openSync(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0o600)
  try {
    // Another one of this name may be there, and the umask may take the owner's rights.
    fchmodSync(descriptor, 0o600)
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    // On a full disk half a file would keep the log from going on.
    rmSync(path)
    throw error
  }
}

function readBytes(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const count = readSync(descriptor, bytes, at, length - at, offset + at)
    // The file is shorter than it was: the MAC of the missing part will show it.
    if (count === 0) break
    at += count
  }
  return bytes
}
