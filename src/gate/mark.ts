import type { CommitMark, NewEvent } from '../log/index.ts'
import type { DecidedEvent } from '../domain/index.ts'
import type { PlanContext } from './plan.ts'

/** Marks the first decision of a commit with how the commit is made: so it can be decided again. */
export function marked(
  events: readonly DecidedEvent[],
  { typed, pass }: Pick<PlanContext, 'typed' | 'pass'>,
): readonly NewEvent[] {
  const [first, ...rest] = events
  if (!first) return events
  const commit: CommitMark = {
    records: events.length,
    ...(pass === 'submit' && { pass }),
    ...(typed && { typed }),
  }
  return [{ ...first, origin: { ...first.origin, commit } }, ...rest]
}
