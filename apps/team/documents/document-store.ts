import { setTimeout as delay } from 'node:timers/promises'
import type { EventLog, LogRecord } from 'throughline'
import { documentsOf } from './apply.ts'
import { appendDocuments, readDocuments, replaceDocuments } from './document-file.ts'
import type { KeptDocuments, LogPosition } from './document-file.ts'
import type { Document } from './document.ts'
import { sessionAfter } from './kept-session.ts'
import type { KeptSession } from './kept-session.ts'

const SAVE_DELAY_MS = 200
/** Until a save, or the reading of the log, that has failed is tried again. */
const RETRY_DELAY_MS = 1_000
/** Messages and markers that are kept; the oldest are left out. */
export const TRANSCRIPT_DOCUMENTS_MAX = 20_000
/** Lines that the file may have beyond one for each document, before it is written anew. */
const SPARE_LINES_MAX = 5_000

export interface DocumentStoreParts {
  readonly log: EventLog
  readonly thread: string
  /** The file that the documents are kept in. */
  readonly file: string
  readonly onFault: (error: unknown) => void
}

/**
 * The documents of the team: a projection of its thread, kept in a file of its own. It outlives a log in
 * memory, and records that it has applied change nothing when they come again. A file that cannot be read or
 * written is reported, and keeps nobody waiting.
 */
export class DocumentStore {
  readonly #parts: DocumentStoreParts
  readonly #documents = new Map<string, Document>()
  /** Changed since the last save. */
  readonly #changed = new Map<string, Document>()
  #following: AsyncIterableIterator<readonly LogRecord[]> | undefined
  readonly #followed: Promise<void>
  #seq: number
  #session: KeptSession | null
  #moved = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> = Promise.resolve()
  /** Lines of the file; undefined where it has to be written as a whole. */
  #lines: number | undefined
  #transcript = 0
  #isClosed = false
  /** The last save failed, and was reported. */
  #isFailing = false

  static async open(parts: DocumentStoreParts): Promise<DocumentStore> {
    const kept = await readDocuments(parts.file)
    if (kept.fault !== undefined) parts.onFault(kept.fault)
    return new DocumentStore(parts, kept)
  }

  private constructor(parts: DocumentStoreParts, { documents, place, fault }: KeptDocuments) {
    this.#parts = parts
    for (const document of documents) this.#keep(document)
    this.#changed.clear()
    this.#session = place?.session ?? null
    const isOfThisLog = place?.epoch === parts.log.epoch && fault === undefined
    // Records of another log, or of a file that has lost some, are all new.
    this.#seq = isOfThisLog ? place.seq : -1
    this.#lines = isOfThisLog ? documents.length : undefined
    this.#followed = this.#follow()
  }

  /** The session to go on with, by the events that were applied so far. */
  get session(): KeptSession | null {
    return this.#session
  }

  /** All documents, with everything that was appended before the call. */
  async all(): Promise<readonly Document[]> {
    const head = await this.#parts.log.head(this.#parts.thread)
    while (this.#seq < head) await this.#moved.promise
    return [...this.#documents.values()]
  }

  async close(): Promise<void> {
    // What the file lacks then is read by the next start.
    await this.all().catch(this.#parts.onFault)
    this.#isClosed = true
    await this.#following?.return?.()
    await this.#followed
    clearTimeout(this.#timer)
    await this.#saving
    await this.#save()
    clearTimeout(this.#timer)
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#read()
        return
      } catch (error) {
        this.#parts.onFault(error)
        await delay(RETRY_DELAY_MS, undefined, { ref: false })
      }
    }
  }

  async #read(): Promise<void> {
    const { log, thread } = this.#parts
    this.#following = log.subscribe(thread, { after: this.#seq })
    for await (const records of this.#following) {
      for (const record of records) this.#apply(record)
      this.#moved.resolve()
      this.#moved = Promise.withResolvers()
      this.#saveIn(SAVE_DELAY_MS)
    }
  }

  #apply(record: LogRecord): void {
    if (record.seq <= this.#seq) return
    this.#seq = record.seq
    this.#session = sessionAfter(this.#session, record)
    for (const document of documentsOf(this.#documents, record)) this.#keep(document)
  }

  #keep(document: Document): void {
    const { _id, type } = document
    if (isTranscript(type) && !this.#documents.has(_id)) this.#transcript++
    this.#documents.set(_id, document)
    this.#changed.set(_id, document)
    if (this.#transcript > TRANSCRIPT_DOCUMENTS_MAX) this.#dropOldest()
  }

  #dropOldest(): void {
    for (const { _id, type } of this.#documents.values()) {
      if (!isTranscript(type)) continue
      this.#documents.delete(_id)
      this.#changed.delete(_id)
      this.#transcript--
      return
    }
  }

  #saveIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#saving = this.#saving.then(() => this.#save())
    }, ms)
  }

  /** Never rejects. What cannot be saved is tried again, as a whole: the file may end in half a line. */
  async #save(): Promise<void> {
    const { log, file, onFault } = this.#parts
    const changed = [...this.#changed.values()]
    const place: LogPosition = { epoch: log.epoch, seq: this.#seq, session: this.#session }
    this.#changed.clear()
    const lines = (this.#lines ?? Number.POSITIVE_INFINITY) + changed.length + 1
    const isSpare = lines > this.#documents.size + SPARE_LINES_MAX
    try {
      this.#lines = undefined
      if (isSpare) await replaceDocuments(file, [...this.#documents.values()], place)
      else await appendDocuments(file, changed, place)
      this.#lines = isSpare ? this.#documents.size + 1 : lines
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) onFault(error)
      this.#isFailing = true
      this.#saveIn(RETRY_DELAY_MS)
    }
  }
}

function isTranscript(type: Document['type']): boolean {
  return type === 'message' || type === 'marker'
}
