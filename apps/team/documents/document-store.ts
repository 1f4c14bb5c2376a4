import { readFile, rename, writeFile } from 'node:fs/promises'
import type { EventLog, LogRecord } from 'throughline/log'
import { flatEvent, isFinal } from '../events/index.ts'
import type { Payload } from '../events/index.ts'
import { documentsOf } from './apply.ts'
import type { Document } from './document.ts'

const SAVE_DELAY_MS = 200

/** A session to go on with, as far as another process needs it. */
export interface KeptSession {
  /** The reason of its end; null while it is open. */
  readonly endReason: Payload<'session_end'>['reason'] | null
  readonly id: string
  readonly claudeSessionId: string | null
  /** The process that plays the team. */
  readonly pid: number
  readonly model: string
  readonly demoMode: boolean
}

interface Kept {
  /** The log and the position in it that the documents are made of. */
  readonly epoch: string
  readonly seq: number
  readonly session: KeptSession | null
  readonly documents: readonly Document[]
}

export interface DocumentStoreParts {
  readonly log: EventLog
  readonly thread: string
  /** The file that the documents are kept in. */
  readonly file: string
  readonly onFault: (error: unknown) => void
}

/**
 * The documents of the team: a projection of its thread, kept in a file of its own. It outlives a log in
 * memory, and records that it has applied change nothing when they come again.
 */
export class DocumentStore {
  readonly #parts: DocumentStoreParts
  readonly #documents: Map<string, Document>
  readonly #following: AsyncIterableIterator<readonly LogRecord[]>
  #seq: number
  #session: KeptSession | null
  #moved = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> = Promise.resolve()

  static async open(parts: DocumentStoreParts): Promise<DocumentStore> {
    return new DocumentStore(parts, await readKept(parts.file))
  }

  private constructor(parts: DocumentStoreParts, kept: Kept | undefined) {
    this.#parts = parts
    this.#documents = new Map(kept?.documents.map((document) => [document._id, document]))
    this.#session = kept?.session ?? null
    // Records of another log are all new.
    this.#seq = kept?.epoch === parts.log.epoch ? kept.seq : -1
    this.#following = parts.log.subscribe(parts.thread, { after: this.#seq })
    this.#follow().catch(parts.onFault)
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
    await this.all()
    await this.#following.return?.()
    clearTimeout(this.#timer)
    await this.#save()
  }

  async #follow(): Promise<void> {
    for await (const records of this.#following) {
      for (const record of records) this.#apply(record)
      this.#moved.resolve()
      this.#moved = Promise.withResolvers()
      this.#timer ??= setTimeout(() => {
        this.#save().catch(this.#parts.onFault)
      }, SAVE_DELAY_MS)
    }
  }

  #apply(record: LogRecord): void {
    if (record.seq <= this.#seq) return
    this.#seq = record.seq
    this.#session = sessionAfter(this.#session, record)
    for (const document of documentsOf(this.#documents, record)) {
      this.#documents.set(document._id, document)
    }
  }

  /** Writes one at a time, to a temporary file that then replaces the old one. */
  #save(): Promise<void> {
    this.#timer = undefined
    const { log, file } = this.#parts
    this.#saving = this.#saving.then(async () => {
      const documents = [...this.#documents.values()]
      const kept: Kept = { epoch: log.epoch, seq: this.#seq, session: this.#session, documents }
      await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 })
      await rename(`${file}.new`, file)
    })
    return this.#saving
  }
}

async function readKept(file: string): Promise<Kept | undefined> {
  try {
    // Only this store writes the file.
    return JSON.parse(await readFile(file, 'utf8')) as Kept
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function sessionAfter(session: KeptSession | null, record: LogRecord): KeptSession | null {
  const event = flatEvent(record)
  switch (event?.type) {
    case 'session_start': {
      const { sessionId, pid, model, demoMode } = event
      const id = sessionId ?? ''
      const claudeSessionId = session?.id === id ? session.claudeSessionId : null
      return { id, claudeSessionId, pid, model, demoMode, endReason: null }
    }
    case 'claude_system':
      return session && { ...session, claudeSessionId: event.claudeSessionId }
    case 'session_end':
      return isFinal(event.reason) ? null : session && { ...session, endReason: event.reason }
    default:
      return session
  }
}
