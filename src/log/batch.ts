import { assert } from '../assert/index.ts'
import type { ReadOptions } from './event-log.ts'
import type { LogRecord } from './record.ts'
import type { Sealed } from './seal.ts'

/** The limits of one batch: the first one reached ends it, after at least one record. */
export const BATCH_RECORDS_MAX = 256
export const BATCH_CHARS_MAX = 65_536

export type Batch = readonly LogRecord[]

/** Reads the records after a position, at most one batch and `limit` records; empty at the head. */
export type LoadBatch = (after: number, limit: number) => Batch | Promise<Batch>

/** Collects the rows that follow a position and are read at once, from where they are found by seq. */
export function collectRows(
  rowAt: (seq: number) => Sealed | undefined,
  after: number,
  limit: number,
): Sealed[] {
  const rows: Sealed[] = []
  let chars = 0
  for (let seq = after + 1; rows.length < limit && rows.length < BATCH_RECORDS_MAX; seq++) {
    const row = rowAt(seq)
    if (!row) break
    chars += row.body.length
    if (rows.length > 0 && chars > BATCH_CHARS_MAX) break
    rows.push(row)
  }
  return rows
}

export function collectBatch(...which: Parameters<typeof collectRows>): Batch {
  return collectRows(...which).map(({ record }) => record)
}

/** Reads on, batch by batch, up to the head as it was when the reading began. */
export async function* readBatches<Item>(
  load: (after: number, limit: number) => readonly Item[] | Promise<readonly Item[]>,
  head: () => Promise<number>,
  { after = -1, limit = Number.MAX_SAFE_INTEGER }: ReadOptions,
): AsyncGenerator<readonly Item[], undefined> {
  assert(isCursor(after), `Cannot read a thread: after is ${after}`)
  assert(isCursor(limit - 1), `Cannot read a thread: limit is ${limit}`)
  const end = await head()
  let at = after
  for (let left = limit; left > 0 && at < end;) {
    const batch = await load(at, Math.min(left, end - at))
    if (batch.length === 0) return
    yield batch
    at += batch.length
    left -= batch.length
  }
}

export function isCursor(after: number): boolean {
  return Number.isSafeInteger(after) && after >= -1
}
