import { ERASURE, RecordRedaction } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { REDACTED } from '../json/index.ts'
import type { NewEvent } from '../log/index.ts'

/** Returns what of an event is not personal. */
export type Redactor = (event: NewEvent) => Pick<NewEvent, 'data' | 'origin'>

/**
 * What an application's threads may show of an event to a reader who may see nothing personal. `names`: those
 * that the application gives its agents and their tools.
 */
export function redactor<State>(domain: Domain<State>, names: Iterable<string>): Redactor {
  const redaction = new RecordRedaction(domain, names)
  return ({ type, data, v = 1, origin }) => {
    if (type === ERASURE) return { data, ...(origin && { origin }) }
    const redacted = redaction.data({ type, data, v })
    return {
      // Lifted data would not fit the version that it is stored under.
      data: redacted.v === v ? redacted.data : REDACTED,
      ...(origin && { origin: redaction.origin(origin) }),
    }
  }
}
