import type { LogRecord, NewEvent } from '../log/index.ts'

/** Events as the records of a thread. */
export function stored(events: readonly NewEvent[]): readonly LogRecord[] {
  return events.map((event, seq) => ({
    origin: { source: 'system', depth: 0 },
    ...event,
    seq,
    id: `id-${seq}`,
    thread: 't',
    ts: seq,
    v: 1,
    prev: '',
    hash: '',
  }))
}
