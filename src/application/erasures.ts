import { customEvent, customValue } from '../activity/index.ts'
import type { Consumer } from '../consumers/index.ts'
import type { KeyRing } from '../erasure/index.ts'
import { stableId } from '../gate/index.ts'
import { membersOf, textOf } from '../json/index.ts'
import { LogError } from '../log/index.ts'
import type { Erasure, EventLog, LogRecord, Snapshots } from '../log/index.ts'
import { inBackground } from '../platform/index.ts'
import { ApplicationError, unknownThread } from './app-error.ts'
import type { OpenedApp } from './opened-app.ts'
import { claimKeys } from './keys-note.ts'
import { followRetention } from './retention.ts'
import type { RetentionParts } from './retention.ts'
import type { EraseRequest, LeftOfThread } from './thread-erasure.ts'
import type { ThroughlineParts } from './throughline-parts.ts'

/** Holds a record of each erasure: what a start finishes, and what the other servers follow. */
export const ERASURES_THREAD = 'throughline-erasures'
/** How long the texts of an erasure may be, in UTF-16 code units. */
export const ERASURE_TEXT_MAX = 500
/** Erased subjects that a start reads at once from the store of keys. */
const ERASED_PAGE = 500

export interface ErasuresParts extends Pick<ThroughlineParts, 'cursors' | 'clock'> {
  readonly apps: readonly OpenedApp[]
  /** As it stores. */
  readonly log: EventLog
  readonly ring: KeyRing
  /** The applications whose records may be sealed. */
  readonly sealing: ReadonlySet<string>
  /** Whether keys that did not seal this log may take over, once those that did are lost. */
  readonly lostKeys: 'refuse' | 'accept'
  readonly ownerOf: (thread: string) => Promise<OpenedApp | undefined>
  readonly snapshots?: Snapshots | undefined
  /** Brings the index of threads up to date, and leaves nothing of its earlier values. */
  readonly scrubIndex: () => Promise<void>
  /** Does work again while the store has a fault that may pass. */
  readonly untilDone: (work: () => Promise<void>) => Promise<void>
  readonly now: () => number
  readonly onFault: (error: unknown, thread?: string) => void
}

interface OpenErasuresParts
  extends
    Omit<ErasuresParts, 'ring' | 'lostKeys' | 'untilDone'>,
    Pick<ThroughlineParts, 'lostKeys'> {
  readonly ring: KeyRing | undefined
}

/** Nothing where no keys are kept. */
export function openErasures({
  ring,
  lostKeys = 'refuse',
  ...parts
}: OpenErasuresParts): Erasures | undefined {
  const [any] = parts.apps
  if (!ring || !any) return undefined
  const untilDone = (work: () => Promise<void>) => any.gate.untilRecorded(ERASURES_THREAD, work)
  return new Erasures({ ...parts, ring, lostKeys, untilDone })
}

interface Begun extends Erasure {
  readonly seq: number
  readonly thread: string
}

/**
 * The erasures of a log. Each is a record before anything of it is done; whoever reads that record, at a start
 * or while it runs, does what is left of it, in the order of the records.
 */
export class Erasures {
  readonly #parts: ErasuresParts
  /** The last record that this process has followed. */
  #followed = -1
  #last: Promise<void> = Promise.resolve()
  readonly #acts = new Set<(thread: string) => void>()
  #following: AsyncIterator<readonly LogRecord[]> | undefined
  #retention: Consumer | undefined

  constructor(parts: ErasuresParts) {
    this.#parts = parts
  }

  /**
   * Finishes what was begun, and destroys what a restored store of keys has brought back.
   *
   * @throws {@link LogError} `configuration` where other keys have sealed the log
   */
  async start(): Promise<void> {
    const { log, ring } = this.#parts
    const { keys } = ring
    await claimKeys({ ...this.#parts, keys, apps: this.#parts.sealing })
    const followed = await ring.keys.followed()
    const isRestored = (await log.head(ERASURES_THREAD)) < followed
    if (isRestored) await this.#recordAgain()
    else this.#followed = followed
    await this.#upTo(await log.head(ERASURES_THREAD))
  }

  /** Follows the erasures that other servers begin, and erases those whose time has come. */
  follow(): void {
    const erase: RetentionParts['erase'] = (thread, request) => this.erase(thread, request)
    this.#retention = followRetention({ ...this.#parts, erase })
    const records = this.#parts.log.subscribe(ERASURES_THREAD, { after: this.#followed })
    this.#following = records
    inBackground(this.#followAll(records))
  }

  onErased(act: (thread: string) => void): () => void {
    this.#acts.add(act)
    return () => {
      this.#acts.delete(act)
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#following?.return?.(), this.#retention?.close()])
    await Promise.allSettled([this.#last])
  }

  /**
   * Erases the person of a thread: once it resolves, nothing in the store, nor in this process, can read any
   * more what was sealed. Erased again it answers with the first erasure.
   *
   * @throws {@link ApplicationError} `unknown_thread`, `not_erasable`, {@link LogError} as appending does
   */
  async erase(thread: string, { by, why }: Partial<EraseRequest> = {}): Promise<LeftOfThread> {
    const owner = await this.#erasable(thread)
    // A program without types may give nothing.
    requireText('by', by)
    requireText('why', why)
    if (!(await owner.erasure.of(thread))) await owner.runs.cancel(thread, {})
    const { seq } = await this.#begin(thread, { at: this.#parts.now(), by, why })
    // Also where the thread has its record: a step behind that may have failed.
    await this.#upTo(seq)
    const left = await owner.erasure.of(thread)
    if (left) return left
    throw new LogError('corrupt', `Cannot erase "${thread}": the record of its erasure is lost`)
  }

  async #erasable(thread: string): Promise<OpenedApp> {
    const owner = await this.#parts.ownerOf(thread)
    if (!owner) {
      throw unknownThread(`Cannot erase thread "${thread}": it is empty, or of no application`)
    }
    if (owner.app.erasable) return owner
    const mend = 'define it with `erasable: true`, which seals what is recorded from then on'
    const message = `Cannot erase thread "${thread}": "${owner.name}" is not erasable; ${mend}`
    throw new ApplicationError('not_erasable', message)
  }

  /** Puts an erasure on record; of two the first counts. */
  async #begin(thread: string, { at, by, why }: Erasure): Promise<Begun> {
    const event = customEvent('erasure', { thread, at, by, why }, { source: 'system', depth: 0 })
    const id = stableId(ERASURES_THREAD, thread)
    const [record] = await this.#parts.log.append(ERASURES_THREAD, [{ ...event, id }])
    const begun = record && begunIn(record)
    if (begun) return begun
    throw new LogError('corrupt', `Cannot erase "${thread}": its erasure is no record`)
  }

  /** One after the other: whatever is done up to a record needs no second look. */
  #upTo(seq: number): Promise<void> {
    const work = () => this.#finishUpTo(seq)
    this.#last = this.#last.then(work, work)
    return this.#last
  }

  async #finishUpTo(seq: number): Promise<void> {
    const { log, ring } = this.#parts
    if (seq <= this.#followed) return
    for await (const records of log.read(ERASURES_THREAD, { after: this.#followed })) {
      for (const record of records) {
        const begun = begunIn(record)
        if (begun) await this.#finish(begun)
        await ring.keys.follow(record.seq)
        this.#followed = record.seq
      }
    }
  }

  /** Each step may be done again: a process that is killed between two of them leaves the rest to the next. */
  async #finish({ thread, at, by, why }: Begun): Promise<void> {
    const { ring, ownerOf, snapshots, scrubIndex } = this.#parts
    const owner = await ownerOf(thread)
    await owner?.erasure.record(thread, { at, by, why })
    await ring.keys.erase(thread, { at, by, why })
    ring.forget(thread)
    await snapshots?.forget(thread)
    await owner?.forget(thread)
    for (const act of this.#acts) act(thread)
    await scrubIndex()
  }

  /** A log that was restored lacks erasures that the store of keys still knows. */
  async #recordAgain(): Promise<void> {
    const { ring } = this.#parts
    for (let after = ''; ;) {
      const page = await ring.keys.erased(after, ERASED_PAGE)
      const last = page.at(-1)
      if (!last) return
      for (const { subject, ...erasure } of page) await this.#begin(subject, erasure)
      after = last.subject
    }
  }

  async #followAll(records: AsyncIterableIterator<readonly LogRecord[]>): Promise<void> {
    try {
      for await (const batch of records) {
        await this.#parts.untilDone(() => this.#upTo(batch.at(-1)?.seq ?? -1))
      }
    } catch (error) {
      if (error instanceof LogError && error.code === 'closed') return
      this.#parts.onFault(error)
    }
  }
}

function begunIn(record: LogRecord): Begun | undefined {
  const value = customValue(record, 'erasure')
  if (value === undefined) return undefined
  const { at } = membersOf(value)
  const [thread, by, why] = ['thread', 'by', 'why'].map((name) => textOf(value, name))
  if (thread === undefined || by === undefined || why === undefined) return undefined
  return { seq: record.seq, thread, at: typeof at === 'number' ? at : record.ts, by, why }
}

function requireText(name: 'by' | 'why', text: unknown): asserts text is string {
  const isFit = typeof text === 'string' && text.trim() !== '' && text.length <= ERASURE_TEXT_MAX
  if (isFit) return
  const mend = `give a text of 1 to ${ERASURE_TEXT_MAX} characters`
  throw new ApplicationError('invalid_query', `Cannot erase: \`${name}\` says nothing; ${mend}`)
}
