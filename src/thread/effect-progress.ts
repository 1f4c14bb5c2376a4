import { customValue } from '../activity/index.ts'
import type { LibraryRecord } from '../domain/index.ts'
import { membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

/** Requests without an outcome that a thread remembers; the oldest then counts its attempts anew. */
export const REQUESTS_KEPT_MAX = 1_000
/** Ended effects that a thread remembers; an older one is found in the log by its outcome's id. */
export const ENDED_KEPT_MAX = 256

/** The progress of a requested effect without an outcome. */
export interface EffectProgress {
  /** The record that requested it. */
  readonly id: string
  readonly seq: number
  readonly ts: number
  /** Failed attempts. */
  readonly failures: number
  /** When the last one failed; absent while none has. */
  readonly failedAt?: number
}

/** The progress of a thread's effects, by {@link dueWorkKey}. */
export interface DueWork {
  readonly requested: Readonly<Record<string, EffectProgress>>
  /** With an outcome or given up, the oldest first. */
  readonly ended: readonly string[]
}

export const NO_DUE_WORK: DueWork = { requested: {}, ended: [] }

/** Joins an effect's name and key into one text. */
export function dueWorkKey({ name, key }: { readonly name: string; readonly key: string }): string {
  return JSON.stringify([name, key])
}

/** Folds records into the progress of effects. Pure. An outcome names its request as its cause. */
export function foldDueWork(work: DueWork, records: Iterable<LogRecord>): DueWork {
  for (const record of records) work = foldOne(work, record)
  return work
}

function foldOne(work: DueWork, record: LogRecord): DueWork {
  if (record.type === ('effect_requested' satisfies LibraryRecord)) return request(work, record)
  const failure = customValue(record, 'effect_failed')
  if (failure !== undefined) return fail(work, record, failure)
  const { source, cause } = record.origin
  // A rule may name the request as its cause too; a refused outcome is none.
  if (source !== 'system' || cause === undefined || record.type === 'event_refused') return work
  const found = Object.entries(work.requested).find(([, { id }]) => id === cause)
  return found ? end(work, found[0]) : work
}

function request(work: DueWork, { id, seq, ts, data }: LogRecord): DueWork {
  const slot = dueWorkKey({ name: textOf(data, 'effect'), key: textOf(data, 'key') })
  if (Object.hasOwn(work.requested, slot) || work.ended.includes(slot)) return work
  const requested = { ...work.requested, [slot]: { id, seq, ts, failures: 0 } }
  const [oldest = '', ...newer] = Object.keys(requested)
  const fits = newer.length < REQUESTS_KEPT_MAX
  return { ...work, requested: fits ? requested : without(requested, oldest) }
}

function fail(work: DueWork, { ts }: LogRecord, value: Json): DueWork {
  const { attempt, final } = membersOf(value)
  const slot = dueWorkKey({ name: textOf(value, 'effect'), key: textOf(value, 'key') })
  if (final === true) return end(work, slot)
  const progress = work.requested[slot]
  if (!progress || typeof attempt !== 'number') return work
  const failures = Math.max(progress.failures, attempt)
  const requested = { ...work.requested, [slot]: { ...progress, failures, failedAt: ts } }
  return { ...work, requested }
}

function end({ requested, ended }: DueWork, slot: string): DueWork {
  const others = ended.filter((each) => each !== slot)
  return {
    requested: without(requested, slot),
    ended: [...others.slice(-(ENDED_KEPT_MAX - 1)), slot],
  }
}

function without(
  requested: DueWork['requested'],
  slot: string,
): Readonly<Record<string, EffectProgress>> {
  return Object.fromEntries(Object.entries(requested).filter(([each]) => each !== slot))
}
