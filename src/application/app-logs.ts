import { knownNames } from '../agents/index.ts'
import { KeyRing, SealedLog, SealedSnapshots, memoryLogKeys, redactor } from '../erasure/index.ts'
import type { Redactor } from '../erasure/index.ts'
import { LogError } from '../log/index.ts'
import type { EventLog, Keys, LogRecord, Snapshots } from '../log/index.ts'
import type { SnapshotUse } from '../thread/index.ts'
import type { App } from './define-app.ts'

const OUR_THREADS = /^throughline[.-]/

/** Whether a thread holds records of the library itself: nobody's words are in it, and nobody begins or lists it. */
export function isOurThread(thread: string): boolean {
  return OUR_THREADS.test(thread)
}

export interface AppLogsParts {
  readonly log: EventLog
  readonly apps: readonly App[]
  /** The names of those whose records may be sealed. */
  readonly sealing: ReadonlySet<string>
  readonly keys?: Keys | undefined
  readonly id: () => string
  readonly onFault: (error: unknown, thread?: string) => void
}

/** A record as its readers get it; the same one where nothing of it is sealed. */
export interface ExportedRecord {
  readonly record: LogRecord
  readonly stored: LogRecord
}

/** One log as each of its applications writes it: sealed where the application is erasable. */
export class AppLogs {
  /** As the program reads it, and appends past the applications. */
  readonly log: EventLog
  readonly #sealedLog: SealedLog | undefined
  /** Absent: nothing in the log is sealed. */
  readonly ring: KeyRing | undefined
  readonly #parts: AppLogsParts
  readonly #redactors: ReadonlyMap<string, Redactor>

  /** @throws {@link LogError} `configuration` where an application is erasable and there are no keys */
  constructor(parts: AppLogsParts) {
    const { log, apps } = parts
    const erasable = apps.filter((app) => app.erasable)
    const [first] = erasable
    const keys = parts.keys ?? (first && memoryLogKeys(log))
    if (first && !keys) {
      const mend = 'give the address of their store in `keys`'
      const why = `"${first.name}" is erasable, and there is nowhere to keep its keys`
      throw new LogError('configuration', `Cannot open: ${why}; ${mend}`)
    }
    this.#parts = parts
    this.ring = keys && new KeyRing(keys)
    this.#redactors = new Map(
      erasable.map(({ name, domain, agents }) => [name, redactor(domain, knownNames(agents))]),
    )
    const ofType = (type: string) =>
      erasable.find(({ domain }) => domain.events.has(type)) ?? erasable[0]
    this.#sealedLog =
      this.ring &&
      this.#sealed(log, this.ring, (type) => this.#redactors.get(ofType(type)?.name ?? ''))
    this.log = this.#sealedLog ?? log
  }

  /** The records of a thread, each with the record that the log stores: what its hash covers. */
  async *exported(thread: string): AsyncGenerator<readonly ExportedRecord[], undefined> {
    for await (const stored of this.#parts.log.read(thread)) {
      const records = (await this.#sealedLog?.openedAll(thread, stored)) ?? stored
      yield records.map((record, at) => ({ record, stored: stored[at] ?? record }))
    }
  }

  /** The log as an application writes it. */
  of({ name }: Pick<App, 'name'>): EventLog {
    if (!this.ring || !this.#parts.sealing.has(name)) return this.#parts.log
    return this.#sealed(this.#parts.log, this.ring, () => this.#redactors.get(name))
  }

  /** Where the folded threads of an application are kept: nowhere while its reducers have no version. */
  snapshotsOf(
    { erasable, domainVersion: version }: Pick<App, 'erasable' | 'domainVersion'>,
    store: Snapshots | undefined,
  ): SnapshotUse | undefined {
    if (!store || version === undefined) return undefined
    if (!erasable || !this.ring) return { store, version }
    // What is sealed is no text of a snapshot.
    return { store: new SealedSnapshots(store, this.ring), version: `sealed ${version}` }
  }

  #sealed(
    log: EventLog,
    ring: KeyRing,
    redactorOf: (type: string) => Redactor | undefined,
  ): SealedLog {
    const { id, onFault } = this.#parts
    return new SealedLog({
      log,
      ring,
      id,
      redactorOf: (thread, type) => (isOurThread(thread) ? undefined : redactorOf(type)),
      onLocked: (thread) => onFault(locked(thread), thread),
    })
  }
}

function locked(thread: string): LogError {
  const mend = 'restore the store of keys from its own backup'
  const why = 'its key is lost, so that it is shown without what is personal'
  return new LogError('corrupt', `Cannot open the records of "${thread}": ${why}; ${mend}`)
}
