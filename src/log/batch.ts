import { assert } from '../assert/index.ts'
import type { ReadOptions } from './event-log.ts'
import type { LogRecord } from './record.ts'
import type { Sealed } from './seal.ts'

/** What is read at once: whichever is reached first, but at least one record. */
export const BATCH_RECORDS_MAX = 256
export const BATCH_CHARS_MAX = 32_768

export type Batch = readonly LogRecord[]

/** Reads what is stored after a position, at most one batch and `limit` records; empty at the head. */
export type LoadBatch = (after: number, limit: number) => Batch | Promise<Batch>

/** Collects the batch that follows a position, from rows that can be found by their seq. */
export function collectBatch(
  rowAt: (seq: number) => Sealed | undefined,
  after: number,
  limit: number,
): Batch {
  const batch: LogRecord[] = []
  let chars = 0
  for (let seq = after + 1; batch.length < limit && batch.length < BATCH_RECORDS_MAX; seq++) {
    const row = rowAt(seq)
    if (!row) break
    chars += row.body.length
    if (batch.length > 0 && chars > BATCH_CHARS_MAX) break
    batch.push(row.record)
  }
  return batch
}

/** Reads on, batch by batch, up to the head as it was when the reading began. */
export async function* readBatches(
  load: LoadBatch,
  head: () => Promise<number>,
  { after = -1, limit = Number.MAX_SAFE_INTEGER }: ReadOptions,
): AsyncGenerator<Batch, undefined> {
  assert(isCursor(after), `Cannot read a thread: after is ${after}`)
  assert(isCursor(limit - 1), `Cannot read a thread: limit is ${limit}`)
  const end = await head()
  let at = after
  for (let left = limit; left > 0 && at < end;) {
    const batch = await load(at, Math.min(left, end - at))
    const last = batch.at(-1)
    if (!last) return
    yield batch
    at = last.seq
    left -= batch.length
  }
}

export function isCursor(after: number): boolean {
  return Number.isSafeInteger(after) && after >= -1
}
