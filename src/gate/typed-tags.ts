import type { Json, LogRecord } from '../log/index.ts'

/** The most recent texts with a tag in them that are kept of a thread. */
export const TYPED_TAGS_MAX = 200

const OPENER = /<agent-event/i

/** Collects the texts that people entered, in messages or in forms, and that hold a tag. Pure. */
export function foldTypedTags(
  tags: readonly string[],
  records: Iterable<LogRecord>,
): readonly string[] {
  const found: string[] = []
  for (const { origin, data } of records) if (origin.source === 'ui') collect(data, found)
  return found.length === 0 ? tags : [...tags, ...found].slice(-TYPED_TAGS_MAX)
}

function collect(data: Json, found: string[]): void {
  if (typeof data === 'string') {
    if (OPENER.test(data)) found.push(data)
  } else if (data !== null && typeof data === 'object') {
    for (const value of Object.values(data)) if (value !== undefined) collect(value, found)
  }
}
