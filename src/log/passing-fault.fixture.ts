import { LogError } from './index.ts'
import type { EventLog } from './index.ts'
import { logWith } from './log-with.fixture.ts'

/**
 * `full`: appends are refused. `away`: reads and appends are. `unanswered`: appends are stored, and
 * their writer does not learn it.
 */
export type PassingFault = 'full' | 'away' | 'unanswered'

const ERRORS = {
  full: new LogError('storage_full', 'Cannot append: no space is left'),
  away: new LogError('unavailable', 'Cannot ask the database: it does not answer'),
  unanswered: new LogError('in_doubt', 'Cannot append: the database gave no answer'),
}

/** A log whose operations from number `from` to `to`, counted from 0, meet a fault that passes. */
export function logWithFault(
  log: EventLog,
  { fault, from, to }: { readonly fault: PassingFault; readonly from: number; readonly to: number },
): EventLog & { readonly hits: number } {
  let [count, hits] = [0, 0]
  const isHit = (kind: 'append' | 'read'): boolean => {
    if (kind === 'read' && fault !== 'away') return false
    const hit = count >= from && count < to
    count++
    if (hit) hits++
    return hit
  }
  const reading = <Result>(read: () => Result): Result => {
    if (isHit('read')) throw ERRORS.away
    return read()
  }
  const failing = logWith(log, {
    append: async (thread, events, options) => {
      if (!isHit('append')) return log.append(thread, events, options)
      if (fault === 'unanswered') await log.append(thread, events, options)
      throw ERRORS[fault]
    },
    find: async (thread, id) => reading(() => log.find(thread, id)),
    head: async (thread) => reading(() => log.head(thread)),
    read: (thread, options) => reading(() => log.read(thread, options)),
  })
  return Object.defineProperty(failing, 'hits', { get: () => hits }) as EventLog & { hits: number }
}
