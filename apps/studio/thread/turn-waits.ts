import { customValue } from 'throughline/client'
import type { LogRecord, TurnNode } from 'throughline/client'
import type { Wait } from './folded-time.ts'

/** The times in which a turn waited for a person, from the records of its thread. */
export function waitsOf({ ids }: TurnNode, records: readonly LogRecord[]): readonly Wait[] {
  const own = records.filter(({ origin }) => ids.includes(origin.turn ?? ''))
  const begins = own.filter((record) => customValue(record, 'wait_for_input') !== undefined)
  return begins.flatMap(({ seq, ts: from }) => {
    const next = own.find((record) => record.seq > seq && record.type === 'RUN_STARTED')
    return next ? [{ from, to: next.ts }] : []
  })
}
