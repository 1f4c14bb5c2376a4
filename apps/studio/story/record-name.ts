import { textOf } from 'throughline/client'
import type { LogRecord } from 'throughline/client'

/** The log's own name for a kind of record. */
export function recordName({ type, data }: Pick<LogRecord, 'type' | 'data'>): string {
  return type === 'CUSTOM' ? textOf(data, 'name') : type
}
