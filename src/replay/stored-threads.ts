import { existsSync, readFileSync } from 'node:fs'
import { KeyRing, closedRecord, openRecord, sealIn } from '../erasure/index.ts'
import { thrownMessage } from '../json/index.ts'
import { LogError } from '../log/index.ts'
import type { EventLog, Keys, LogRecord } from '../log/index.ts'
import { ReplayError } from './replay-error.ts'

/** Records of one thread that are replayed. */
export const REPLAY_RECORDS_MAX = 200_000

/** Threads that were stored, in a log or in exports of it. */
export interface StoredThreads extends Pick<EventLog, 'read' | 'find'> {
  names(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface StoredThreadsOptions {
  /** The addresses of a store, or of files that `export` of a thread gave. */
  readonly sources: readonly string[]
  /** Sign the heads of a Postgres store. */
  readonly anchorKeys?: readonly string[]
}

/**
 * Opens stored threads for reading: an SQLite store beside its server, a Postgres store, or exports in JSONL.
 *
 * @throws {@link ReplayError} `no_store`, {@link LogError} as `openLog` does
 */
export async function openStoredThreads({
  sources,
  anchorKeys = [],
}: StoredThreadsOptions): Promise<StoredThreads> {
  const [store = ''] = sources
  if (isExport(store)) return exported(sources)
  const { openLogToRead } = await import('#storage')
  const log = await openLogToRead(store, { anchorKeys, unsignedHeads: 'refuse' })
  let opening: Promise<Keys | undefined> | undefined
  let ring: KeyRing | undefined
  const opened = async (record: LogRecord): Promise<LogRecord> => {
    const seal = sealIn(record.data)
    if (!seal) return record
    const keys = await (opening ??= keysOf(store))
    ring ??= keys && new KeyRing(keys)
    const state = await ring?.find(record.thread)
    const open = state?.status === 'kept' ? openRecord(record, seal, state.key) : undefined
    return open ?? closedRecord(record)
  }
  return {
    names: async () => ofApplications(await log.threads()),
    async *read(thread, options) {
      for await (const records of log.read(thread, options)) {
        const areSealed = records.some(({ data }) => sealIn(data))
        yield areSealed ? await Promise.all(records.map(opened)) : records
      }
    },
    async find(thread, id) {
      const record = await log.find(thread, id)
      return record && opened(record)
    },
    async close() {
      await (await opening)?.close()
      await log.close()
    },
  }
}

/** The keys of a store that holds sealed records; nothing where they lie elsewhere. */
async function keysOf(store: string): Promise<Keys | undefined> {
  const { hasKeysBeside, keysBeside, openKeys } = await import('#storage')
  const isFile = store.startsWith('sqlite:')
  return isFile && !hasKeysBeside(store) ? undefined : openKeys(keysBeside(store))
}

/** Other threads hold records of the library itself. */
export function ofApplications(threads: readonly string[]): readonly string[] {
  return threads.filter((name) => !/^throughline[.-]/.test(name))
}

export function isExport(source: string): boolean {
  return source.endsWith('.jsonl')
}

/** @throws {@link LogError} `too_large` */
export async function recordsOf(
  stored: Pick<StoredThreads, 'read'>,
  thread: string,
): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  for await (const batch of stored.read(thread)) {
    records.push(...batch)
    if (records.length <= REPLAY_RECORDS_MAX) continue
    const why = `it has more than ${REPLAY_RECORDS_MAX} records`
    throw new LogError('too_large', `Cannot replay "${thread}": ${why}`)
  }
  return records
}

function exported(files: readonly string[]): StoredThreads {
  const threads = new Map<string, LogRecord[]>()
  for (const record of files.flatMap(recordsIn)) {
    const records = threads.get(record.thread) ?? []
    threads.set(record.thread, records)
    if (record.seq === records.length) records.push(record)
    else throw unreadable(record.thread, `record ${records.length} is missing`)
  }
  return {
    names: async () => [...threads.keys()],
    async *read(thread, { after = -1, limit = Infinity } = {}) {
      yield (threads.get(thread) ?? []).slice(after + 1, after + 1 + limit)
    },
    find: async (thread, id) => threads.get(thread)?.find((record) => record.id === id),
    close: async () => undefined,
  }
}

function recordsIn(file: string): readonly LogRecord[] {
  if (!existsSync(file)) throw unreadable(file, 'there is no such file')
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      // Written by `export`, or by a test.
      const record = JSON.parse(line) as LogRecord & { readonly stored?: unknown }
      return typeof record.thread === 'string' ? [record] : []
    } catch (error) {
      throw unreadable(file, `line ${at + 1} is not JSON: ${thrownMessage(error)}`)
    }
  })
}

function unreadable(what: string, why: string): ReplayError {
  return new ReplayError('no_store', `Cannot replay "${what}": ${why}`)
}
