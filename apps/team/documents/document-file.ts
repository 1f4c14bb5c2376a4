import { createReadStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { isJsonObject } from 'throughline/client'
import { textOf } from 'throughline'
import type { Json } from 'throughline'
import type { Document } from './document.ts'
import type { KeptSession } from './kept-session.ts'

/** Only the owner reads what people wrote. */
const OWNER_ONLY = 0o600
/** A larger file was not written by the store. */
const FILE_BYTES_MAX = 1024 * 1024 * 1024
/** Lines are gathered to this many characters before they are written. */
const WRITE_CHARS_MIN = 64 * 1024

/** The log and the position in it that the documents are made of, and the session at that position. */
export interface LogPosition {
  readonly epoch: string
  readonly seq: number
  readonly session: KeptSession | null
}

export interface KeptDocuments {
  readonly documents: readonly Document[]
  /** Absent where the file holds none. */
  readonly place: LogPosition | undefined
  /** Why lines of the file cannot be used; the documents of the others are given. */
  readonly fault: unknown
}

type Line = { readonly document: Document } | LogPosition

/** Reads what is left of the file. Whatever it holds, the documents can be made anew of the log. */
export async function readDocuments(file: string): Promise<KeptDocuments> {
  const documents: Document[] = []
  let place: LogPosition | undefined
  try {
    const { size } = await requireFile(file)
    if (size > FILE_BYTES_MAX) throw unusable(file, `it has ${size} bytes`)
    let fault: unknown
    for await (const text of createInterface({ input: createReadStream(file) })) {
      const line = lineOf(text)
      if (line === undefined) fault ??= unusable(file, 'a line is none of a document')
      else if ('document' in line) documents.push(line.document)
      else place = line
    }
    return { documents, place, fault }
  } catch (fault) {
    return isAbsent(fault)
      ? { documents, place, fault: undefined }
      : { documents, place: undefined, fault }
  }
}

async function requireFile(file: string) {
  const found = await stat(file)
  if (!found.isFile()) throw unusable(file, 'it is no regular file')
  return found
}

function unusable(file: string, why: string): Error {
  return new Error(`Cannot use all of "${file}": ${why}; the documents are made of the log anew`)
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
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

/** Adds the documents that have changed, durably. */
export async function appendDocuments(file: string, kept: Iterable<Document>, place: LogPosition) {
  await write(await open(file, 'a', OWNER_ONLY), kept, place)
}

/** Replaces the file as a whole, durably: after a crash there is the old one or the new one. */
export async function replaceDocuments(file: string, kept: Iterable<Document>, place: LogPosition) {
  await write(await open(`${file}.new`, 'w', OWNER_ONLY), kept, place)
  await rename(`${file}.new`, file)
  // Windows cannot open a folder.
  if (process.platform === 'win32') return
  const folder = await open(dirname(file))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function write(
  file: FileHandle,
  kept: Iterable<Document>,
  place: LogPosition,
): Promise<void> {
  try {
    // The umask may have taken away the owner's own rights.
    await file.chmod(OWNER_ONLY)
    await file.appendFile(blocksOf(kept, place))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The lines in blocks: the file as one text would need several times its size in memory. */
function* blocksOf(kept: Iterable<Document>, place: LogPosition): Iterable<string> {
  let block = ''
  for (const document of kept) {
    block += `${JSON.stringify({ document })}\n`
    if (block.length < WRITE_CHARS_MIN) continue
    yield block
    block = ''
  }
  yield `${block}${JSON.stringify(place)}\n`
}
