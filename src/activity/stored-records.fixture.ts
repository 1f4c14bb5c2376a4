import type { LogRecord, NewEvent } from '../log/index.ts'
import { recordAt } from '../../test/memory-log.fixture.ts'

/** Events as the records of a thread. */
export function stored(events: readonly NewEvent[]): readonly LogRecord[] {
  return events.map((event, seq) =>
    recordAt(seq, { origin: { source: 'system', depth: 0 }, ...event, id: `id-${seq}`, v: 1 }),
  )
}
