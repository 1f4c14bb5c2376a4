import { setTimeout as delay } from 'node:timers/promises'
import type { EventLog, LogRecord } from 'throughline'
import { documentsOf } from './apply.ts'
import { DocumentFile } from './document-file.ts'
import type { LogPosition } from './document-file.ts'
import { headOf } from './document.ts'
import type { Document, DocumentHead, Message } from './document.ts'
import { sessionAfter } from './kept-session.ts'
import type { KeptSession } from './kept-session.ts'

const SAVE_DELAY_MS = 200
/** Until a save, or the reading of the log, that has failed is tried again. */
const RETRY_DELAY_MS = 1_000
/** Messages and markers that are kept; the oldest are left out. */
export const TRANSCRIPT_DOCUMENTS_MAX = 20_000
/** Characters of messages that wait to be saved, before records are read on. */
const UNSAVED_CHARS_MAX = 4 * 1024 * 1024
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
 * memory, and records that it has applied change nothing when they come again. What messages say is in memory
 * until it is saved, and is then read from the file. A file that cannot be read or written is reported; requests
 * are answered without it.
 */
export class DocumentStore {
  readonly #parts: DocumentStoreParts
  readonly #file: DocumentFile
  readonly #heads = new Map<string, DocumentHead>()
  /** Changed since the last save. */
  readonly #changed = new Set<string>()
  /** Messages that the file does not have yet. */
  readonly #unsaved = new Map<string, Message>()
  #unsavedChars = 0
  #following: AsyncIterableIterator<readonly LogRecord[]> | undefined
  #followed: Promise<void> = Promise.resolve()
  #seq = -1
  #session: KeptSession | null = null
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
    const store = new DocumentStore(parts)
    await store.#load()
    store.#followed = store.#follow()
    return store
  }

  private constructor(parts: DocumentStoreParts) {
    this.#parts = parts
    this.#file = new DocumentFile(parts.file)
  }

  /** The session to go on with, by the events that were applied so far. */
  get session(): KeptSession | null {
    return this.#session
  }

  /** The heads of all documents, with everything that was appended before the call. */
  async heads(): Promise<readonly DocumentHead[]> {
    const head = await this.#parts.log.head(this.#parts.thread)
    while (this.#seq < head) await this.#moved.promise
    return [...this.#heads.values()]
  }

  /** The documents of heads, with what messages say. Those that can no longer be read are left out. */
  async *whole(heads: Iterable<DocumentHead>): AsyncIterable<Document> {
    for (const head of heads) {
      const document = head.type === 'message' ? await this.#message(head) : head
      if (document) yield document
    }
  }

  async close(): Promise<void> {
    // What the file lacks then is read by the next start.
    await this.heads().catch(this.#parts.onFault)
    this.#isClosed = true
    await this.#following?.return?.()
    await this.#followed
    await this.#saveNow()
    // The file may have been deleted.
    if (this.#isFailing) await this.#saveNow()
    clearTimeout(this.#timer)
    await this.#file.close()
  }

  async #load(): Promise<void> {
    const { log, onFault } = this.#parts
    const { place, lines, fault } = await this.#file.load((document) =>
      this.#keep(headOf(document)),
    )
    if (fault !== undefined) onFault(fault)
    this.#changed.clear()
    this.#session = place?.session ?? null
    // Records of another log, or of a file that has lost some, are all new.
    if (place?.epoch !== log.epoch || fault !== undefined) return
    this.#seq = place.seq
    this.#lines = lines
  }

  async #message(head: DocumentHead): Promise<Document | undefined> {
    const message =
      this.#unsaved.get(head._id) ??
      (await this.#file.read(head._id)) ??
      (await this.#find(head._id))
    // Its turn may have ended since.
    return message && 'turn' in message && 'turn' in head
      ? { ...message, turn: head.turn }
      : message
  }

  /** Makes a document of the log that another server’s file has in another place. */
  async #find(id: string): Promise<Document | undefined> {
    const { log, thread } = this.#parts
    const record = await log.find(thread, id.slice(id.indexOf(':') + 1))
    const made = record ? documentsOf(new Map(), record) : []
    return made.find((each) => 'blocks' in each)
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
      if (this.#unsavedChars > UNSAVED_CHARS_MAX && !this.#isFailing) await this.#saveNow()
    }
  }

  #apply(record: LogRecord): void {
    if (record.seq <= this.#seq) return
    this.#seq = record.seq
    this.#session = sessionAfter(this.#session, record)
    for (const document of documentsOf(this.#heads, record)) {
      const isWhole = 'blocks' in document
      if (isWhole) this.#keepUnsaved(document)
      this.#keep(isWhole ? headOf(document) : document)
    }
  }

  #keepUnsaved(message: Message): void {
    this.#unsaved.set(message._id, message)
    this.#unsavedChars += JSON.stringify(message.blocks).length
  }

  #keep(head: DocumentHead): void {
    const { _id, type } = head
    if (isTranscript(type) && !this.#heads.has(_id)) this.#transcript++
    this.#heads.set(_id, head)
    this.#changed.add(_id)
    if (this.#transcript > TRANSCRIPT_DOCUMENTS_MAX) this.#dropOldest()
  }

  #dropOldest(): void {
    for (const { _id, type } of this.#heads.values()) {
      if (!isTranscript(type)) continue
      this.#heads.delete(_id)
      this.#changed.delete(_id)
      this.#unsaved.delete(_id)
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

  async #saveNow(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save())
    await this.#saving
  }

  /** Never rejects. What cannot be saved is tried again, as a whole: the file may end in half a line. */
  async #save(): Promise<void> {
    const { log, onFault } = this.#parts
    const changed = [...this.#changed]
    const place: LogPosition = { epoch: log.epoch, seq: this.#seq, session: this.#session }
    this.#changed.clear()
    this.#unsavedChars = 0
    const lines = (this.#lines ?? Number.POSITIVE_INFINITY) + changed.length + 1
    const isSpare = lines > this.#heads.size + SPARE_LINES_MAX
    const saved = isSpare
      ? [...this.#heads.values()]
      : changed.flatMap((id) => this.#heads.get(id) ?? [])
    const documents = this.whole(saved)
    try {
      this.#lines = undefined
      if (isSpare) await this.#file.replace(documents, place)
      else await this.#file.append(documents, place)
      for (const { _id } of saved) this.#unsaved.delete(_id)
      this.#lines = isSpare ? this.#heads.size + 1 : lines
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
