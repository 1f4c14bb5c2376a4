import { membersOf, textOf } from 'throughline/client'
import type { Json, LogRecord } from 'throughline/client'

/** Which text evidence is about, and what the record says of it. */
export interface ShownTextName {
  readonly id: string
  readonly version: number | undefined
  readonly contentHash: string
}

/** The disclosure that a record shows, or that an answer names; others have none. */
export function shownTextOf({ type, data }: LogRecord): ShownTextName | undefined {
  const presented = membersOf(data)['presented']
  switch (type) {
    case 'present_disclosure':
      return nameOf(textOf(data, 'id'), data)
    case 'acknowledge_disclosure':
      return nameOf(textOf(data, 'id'), presented ?? data)
    case 'capture_consent':
      return presented === undefined
        ? undefined
        : nameOf(`${textOf(data, 'consentType')}_consent`, presented)
    default:
      return undefined
  }
}

function nameOf(id: string, named: Json): ShownTextName {
  const { version } = membersOf(named)
  return {
    id,
    version: typeof version === 'number' ? version : undefined,
    contentHash: textOf(named, 'contentHash'),
  }
}
