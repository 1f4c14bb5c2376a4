import { constants } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isJsonObject } from 'throughline/client'
import { textOf } from 'throughline'
import type { Json } from 'throughline'
import type { Document } from './document.ts'
import type { KeptSession } from './kept-session.ts'

/** Only the owner reads what people wrote. */
const OWNER_ONLY = 0o600
/** A larger file was not written by the store. */
const FILE_BYTES_MAX = 1024 * 1024 * 1024
/** Nor was a longer line: a record has at most 1 MiB, and a document has its text twice. */
const LINE_BYTES_MAX = 16 * 1024 * 1024
const READ_BYTES = 1024 * 1024
/** Lines are gathered to this many characters before they are written. */
const WRITE_CHARS_MIN = 64 * 1024
const NEWLINE = 0x0a

/** The log and the position in it that the documents are made of, and the session at that position. */
export interface LogPosition {
  readonly epoch: string
  readonly seq: number
  readonly session: KeptSession | null
}

export interface Loaded {
  /** Absent where the file holds none. */
  readonly place: LogPosition | undefined
  /** Lines of documents. */
  readonly lines: number
  /** Why lines of the file cannot be used; the documents of the others are given. */
  readonly fault: unknown
}

type Line = { readonly document: Document } | LogPosition

interface Extent {
  readonly offset: number
  readonly length: number
}

/**
 * The file of the documents, a line for each change, with the place of each message's last line. The file that
 * was read or written last stays open, and can be read after it was deleted or replaced.
 */
export class DocumentFile {
  readonly #path: string
  #handle: FileHandle | undefined
  #extents = new Map<string, Extent>()

  constructor(path: string) {
    this.#path = path
  }

  /** Reads the lines that are whole. What the file lacks, the caller makes of the log. */
  async load(take: (document: Document) => void): Promise<Loaded> {
    let place: LogPosition | undefined
    let lines = 0
    let fault: unknown
    try {
      this.#handle = await openRegular(this.#path)
      for await (const { text, ...extent } of linesOf(this.#handle, this.#path)) {
        const line = lineOf(text)
        if (line === undefined) fault ??= unusable(this.#path, 'a line is none of a document')
        else if ('document' in line) {
          lines++
          this.#extents.set(line.document._id, extent)
          take(line.document)
        } else place = line
      }
    } catch (error) {
      if (!isAbsent(error)) fault ??= error
    }
    return { place, lines, fault }
  }

  /** A document as its last line has it; undefined where that line cannot be read. */
  async read(id: string): Promise<Document | undefined> {
    const extent = this.#extents.get(id)
    if (extent === undefined || this.#handle === undefined) return undefined
    const bytes = Buffer.alloc(extent.length)
    await this.#handle.read(bytes, { position: extent.offset })
    const line = lineOf(bytes.toString())
    // Another server may have written the same file.
    return line && 'document' in line && line.document._id === id ? line.document : undefined
  }

  /** Adds the documents that have changed, durably. */
  async append(documents: AsyncIterable<Document>, place: LogPosition): Promise<void> {
    const file = await open(this.#path, constants.O_RDWR | constants.O_APPEND)
    const written = await write(file, documents, place)
    for (const [id, extent] of written) this.#extents.set(id, extent)
    await this.#hold(file, this.#extents)
  }

  /** Replaces the file as a whole, durably: after a crash there is the old one or the new one. */
  async replace(documents: AsyncIterable<Document>, place: LogPosition): Promise<void> {
    const path = `${this.#path}.new`
    // The file that is held may be the one that could not be renamed.
    await rm(path, { force: true })
    const file = await open(path, 'wx+', OWNER_ONLY)
    await this.#hold(file, await write(file, documents, place))
    await rename(path, this.#path)
    // Windows cannot open a folder.
    if (process.platform === 'win32') return
    const folder = await open(dirname(this.#path))
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }

  async #hold(file: FileHandle, extents: Map<string, Extent>): Promise<void> {
    const before = this.#handle
    this.#handle = file
    this.#extents = extents
    await before?.close()
  }
}

/** Opens a file that the store may have written; a pipe would keep it waiting. */
async function openRegular(path: string): Promise<FileHandle> {
  const found = await stat(path)
  if (!found.isFile()) throw unusable(path, 'it is no regular file')
  if (found.size > FILE_BYTES_MAX) throw unusable(path, `it has ${found.size} bytes`)
  return open(path)
}

function unusable(file: string, why: string): Error {
  return new Error(`Cannot use all of "${file}": ${why}; the documents are made of the log anew`)
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function* linesOf(
  file: FileHandle,
  path: string,
): AsyncIterable<Extent & { readonly text: string }> {
  let offset = 0
  let rest: Buffer = Buffer.alloc(0)
  const blocks = file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES })
  for await (const block of blocks as AsyncIterable<Buffer>) {
    let bytes = Buffer.concat([rest, block])
    for (let length = bytes.indexOf(NEWLINE); length >= 0; length = bytes.indexOf(NEWLINE)) {
      yield { offset, length, text: bytes.toString('utf8', 0, length) }
      bytes = bytes.subarray(length + 1)
      offset += length + 1
    }
    if (bytes.length > LINE_BYTES_MAX) throw unusable(path, 'a line is too long')
    rest = bytes
  }
  if (rest.length === 0) return
  yield { offset, length: rest.length, text: rest.toString() }
  // A line that is appended would go on with it.
  throw unusable(path, 'its last line has no end')
}

function lineOf(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Json
    if (!isJsonObject(line)) return undefined
    const { document = null, epoch, seq } = line
    const isDocument = textOf(document, '_id') !== '' && textOf(document, 'type') !== ''
    const isPlace = typeof epoch === 'string' && typeof seq === 'number'
    // Written by the functions below, from the same union.
    return isDocument || isPlace ? (line as unknown as Line) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes the lines at the end of a file, durably, and returns where the documents are. */
async function write(file: FileHandle, documents: AsyncIterable<Document>, place: LogPosition) {
  try {
    // The umask may have taken away the owner's own rights.
    await file.chmod(OWNER_ONLY)
    const extents = new Map<string, Extent>()
    const { size } = await file.stat()
    await file.appendFile(blocksOf(documents, { place, size, extents }))
    await file.sync()
    return extents
  } catch (error) {
    await file.close()
    throw error
  }
}

interface Written {
  readonly place: LogPosition
  readonly size: number
  readonly extents: Map<string, Extent>
}

/** The lines in blocks: the file as one text would need several times its size in memory. */
async function* blocksOf(
  documents: AsyncIterable<Document>,
  { place, size, extents }: Written,
): AsyncIterable<string> {
  let offset = size
  let block = ''
  for await (const document of documents) {
    const line = JSON.stringify({ document })
    const length = Buffer.byteLength(line)
    extents.set(document._id, { offset, length })
    offset += length + 1
    block += `${line}\n`
    if (block.length < WRITE_CHARS_MIN) continue
    yield block
    block = ''
  }
  yield `${block}${JSON.stringify(place)}\n`
}
