import { isAgentEventType } from '../activity/index.ts'
import type { LibraryRecord } from '../domain/index.ts'
import { encodeJson, encodeOrigin, erasedThread, isUuid, recordJson } from '../log/index.ts'
import type {
  AppendOptions,
  EventLog,
  KeyState,
  LogRecord,
  Moved,
  NewEvent,
  Notes,
  ReadOptions,
  ThreadVerification,
  Verification,
} from '../log/index.ts'
import type { KeyRing } from './key-ring.ts'
import type { Redactor } from './redactor.ts'
import {
  SEALED_MARK,
  closedRecord,
  isPersonal,
  namesIn,
  openRecord,
  opened,
  sealEvent,
  sealIn,
} from './sealed-data.ts'

export interface SealedLogParts {
  readonly log: EventLog
  readonly ring: KeyRing
  /** Says what is personal in what is appended to a thread; without a redactor nothing of it is sealed. */
  readonly redactorOf?: (thread: string, type: string) => Redactor | undefined
  /** A fresh UUID. */
  readonly id: () => string
  /** Told of a thread whose records cannot be opened although it was not erased. */
  readonly onLocked?: (thread: string) => void
}

/** An event with its id, and what of it may be stored in clear. */
interface Prepared {
  readonly event: NewEvent & { readonly id: string }
  /** Absent: all of it. */
  readonly shown?: Pick<NewEvent, 'data' | 'origin'>
}

/**
 * A log whose records are sealed where they are personal: each under the key of its thread. The log behind it
 * stores, hashes and verifies what is sealed; readers of this one get it opened. Of an erased thread they get
 * what is not personal, and nothing but the end of what runs can be appended.
 */
export class SealedLog implements EventLog {
  readonly epoch: string
  readonly leases: EventLog['leases']
  readonly notes?: Notes
  readonly readJson?: NonNullable<EventLog['readJson']>
  readonly #log: EventLog
  readonly #parts: SealedLogParts

  constructor(parts: SealedLogParts) {
    const { log } = parts
    this.#parts = parts
    this.#log = log
    this.epoch = log.epoch
    this.leases = log.leases
    if (log.notes) this.notes = log.notes
    const readJson = log.readJson?.bind(log)
    if (readJson)
      this.readJson = (thread, options) => this.#texts(thread, readJson(thread, options))
  }

  async append(
    thread: string,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<readonly LogRecord[]> {
    const redactor = this.#parts.redactorOf?.(thread, events[0]?.type ?? '')
    if (!redactor || events.length === 0) {
      const records = await this.#log.append(thread, events, options)
      return this.openedAll(thread, records)
    }
    const prepared = events.map((event) => this.#prepared(event, redactor))
    // All appends of a thread wait for the same promise, and so go on in the order of the calls.
    const state = await this.#parts.ring.of(thread)
    const stored = prepared.map((each) => storedOf(each, { thread, state }))
    const records = await this.#log.append(thread, stored, options)
    return records.map((record, at) => {
      const [given, own] = [prepared[at], stored[at]]
      return given && own && isSealOf(record, own)
        ? unsealed(record, given)
        : this.#openedBy(state, record)
    })
  }

  async *read(
    thread: string,
    options?: ReadOptions,
  ): AsyncGenerator<readonly LogRecord[], undefined> {
    for await (const records of this.#log.read(thread, options)) {
      yield await this.openedAll(thread, records)
    }
  }

  subscribe(
    thread: string,
    options?: { readonly after?: number },
  ): AsyncIterableIterator<readonly LogRecord[]> {
    const records = this.#log.subscribe(thread, options)
    const openedStep = async (
      step: IteratorResult<readonly LogRecord[]>,
    ): Promise<IteratorResult<readonly LogRecord[]>> =>
      step.done ? step : { done: false, value: await this.openedAll(thread, step.value) }
    return {
      next: async () => openedStep(await records.next()),
      return: async () => (await records.return?.()) ?? { done: true, value: undefined },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  feed(options?: { readonly after?: string }): AsyncIterableIterator<readonly Moved[]> {
    return this.#log.feed(options)
  }

  async find(thread: string, id: string): Promise<LogRecord | undefined> {
    const found = await this.#log.find(thread, id)
    const [record] = found ? await this.openedAll(thread, [found]) : []
    return record
  }

  threads(): Promise<readonly string[]> {
    return this.#log.threads()
  }

  head(thread: string): Promise<number> {
    return this.#log.head(thread)
  }

  verify(thread: string): Promise<Verification> {
    return this.#log.verify(thread)
  }

  verifyAll(options?: { readonly from?: number }): AsyncIterable<ThreadVerification> {
    return this.#log.verifyAll(options)
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  /** Copies an event before the call of `append` returns, and says what of it is not personal. */
  #prepared(given: NewEvent, redactor: Redactor): Prepared {
    const { id = this.#parts.id() } = given
    const { value: data } = encodeJson(given.data, 'data')
    const origin = given.origin && encodeOrigin(given.origin).value
    const event = {
      ...given,
      id: isUuid(id) ? id.toLowerCase() : id,
      data,
      ...(origin && { origin }),
    }
    const shown = redactor(event)
    return isPersonal(event, shown) ? { event, shown } : { event }
  }

  /** Records as readers get them, from those that the log behind it has given. */
  async openedAll(thread: string, records: readonly LogRecord[]): Promise<readonly LogRecord[]> {
    if (!records.some(({ data }) => sealIn(data))) return records
    const state = await this.#parts.ring.find(thread)
    return records.map((record) => this.#openedBy(state, record))
  }

  #openedBy(state: KeyState | undefined, record: LogRecord): LogRecord {
    const seal = sealIn(record.data)
    if (!seal) return record
    const open = state?.status === 'kept' ? openRecord(record, seal, state.key) : undefined
    if (!open && state?.status !== 'erased') this.#parts.onLocked?.(record.thread)
    return open ?? closedRecord(record)
  }

  async *#texts(
    thread: string,
    pages: AsyncIterable<readonly string[]>,
  ): AsyncGenerator<readonly string[], undefined> {
    for await (const texts of pages) {
      if (!texts.some((text) => text.includes(SEALED_MARK))) yield texts
      else yield await this.#openedTexts(thread, texts)
    }
  }

  async #openedTexts(thread: string, texts: readonly string[]): Promise<readonly string[]> {
    const state = await this.#parts.ring.find(thread)
    return texts.map((text) => {
      if (!text.includes(SEALED_MARK)) return text
      // The log has made this text of a record.
      const record = JSON.parse(text) as LogRecord
      const open = this.#openedBy(state, record)
      return open === record ? text : recordJson(open)
    })
  }
}

/** Whether a record holds what was just sealed: one that was held before has another seal. */
function isSealOf(record: LogRecord, own: NewEvent): boolean {
  const seal = sealIn(record.data)
  return seal !== undefined && seal.iv === sealIn(own.data)?.iv
}

/** What this process has just sealed needs no opening. */
function unsealed(record: LogRecord, { event, shown }: Prepared): LogRecord {
  return Object.freeze(opened(record, event.data, namesIn(event.origin, shown?.origin)))
}

/** @throws {@link LogError} `erased` for what an erased thread does not take */
function storedOf(
  { event, shown }: Prepared,
  { thread, state }: { readonly thread: string; readonly state: KeyState },
): NewEvent {
  if (state.status === 'erased') {
    if (!endsWork(event.type)) throw erasedThread(thread)
    return { ...event, ...shown }
  }
  return shown ? sealEvent(event, shown, { thread, key: state.key }) : event
}

/** What may follow in an erased thread: the end of what runs, without its words, and records about access. */
function endsWork(type: string): boolean {
  return ABOUT_ACCESS.has(type) || (isAgentEventType(type) && type !== 'RUN_STARTED')
}

const ABOUT_ACCESS: ReadonlySet<string> = new Set([
  'token_revoked',
  'link_opened',
  'thread_erased',
] satisfies LibraryRecord[])
