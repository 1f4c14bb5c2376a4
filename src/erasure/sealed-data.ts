import { equalJson, isJsonObject, membersOf, ownMember } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord, NewEvent, Origin, SubjectKey } from '../log/index.ts'
import { openText, sealText } from './seal.ts'
import type { Sealed } from './seal.ts'

/** The member of a record's data that holds what is sealed. */
export const SEALED_MEMBER = 'throughline.sealed'

/** Stands in the JSON text of each record that is sealed, and of few others. */
export const SEALED_MARK = `"${SEALED_MEMBER}":{"key":"`

/** What a seal holds: the data, and the names in the origin where those are personal. */
interface Hidden {
  readonly data: Json
  readonly agent?: string
  readonly path?: readonly string[]
}

type Named = NewEvent & { readonly id: string }
type Placed = Pick<LogRecord, 'thread' | 'id' | 'type'>

/** Whether something of an event is personal. */
export function isPersonal(event: NewEvent, shown: Pick<NewEvent, 'data' | 'origin'>): boolean {
  // Data with our own member is sealed, whatever it says: it must not pass for a seal.
  if (ownMember(membersOf(event.data), SEALED_MEMBER) !== undefined) return true
  return !equalJson(event.data, shown.data) || namesIn(event.origin, shown.origin) !== undefined
}

/** The event as it is stored: what is not personal in clear, all of it under the key. */
export function sealEvent(
  event: Named,
  shown: Pick<NewEvent, 'data' | 'origin'>,
  { thread, key }: { readonly thread: string; readonly key: SubjectKey },
): NewEvent {
  const hidden: Hidden = { data: event.data, ...namesIn(event.origin, shown.origin) }
  const sealed = sealText(key, placeOf({ ...event, thread }), JSON.stringify(hidden))
  return { ...event, ...shown, data: withSeal(shown.data, sealed) }
}

function withSeal(shown: Json, { key, iv, bytes }: Sealed): Json {
  if (isJsonObject(shown)) return { ...shown, [SEALED_MEMBER]: { key, iv, bytes } }
  return { [SEALED_MEMBER]: { key, iv, bytes, shown } }
}

/** What is sealed in a record's data, if anything is. */
export function sealIn(data: Json): Sealed | undefined {
  const { key, iv, bytes } = membersOf(ownMember(membersOf(data), SEALED_MEMBER) ?? null)
  const areTexts = typeof key === 'string' && typeof iv === 'string' && typeof bytes === 'string'
  return areTexts ? { key, iv, bytes } : undefined
}

/** The record as it was before it was sealed; nothing where the key does not open it. */
export function openRecord(
  record: LogRecord,
  sealed: Sealed,
  key: SubjectKey,
): LogRecord | undefined {
  const text = openText(key, placeOf(record), sealed)
  if (text === undefined) return undefined
  // It was written by `sealEvent`: nobody else has the key.
  const { data, ...names } = JSON.parse(text) as Hidden
  return opened(record, data, names)
}

/** The record without what is sealed in it. */
export function closedRecord(record: LogRecord): LogRecord {
  const { [SEALED_MEMBER]: seal, ...members } = membersOf(record.data)
  const shown = ownMember(membersOf(seal ?? null), 'shown')
  return { ...record, data: shown ?? members }
}

export function opened(
  record: LogRecord,
  data: Json,
  names: Pick<Origin, 'agent' | 'path'> | undefined,
): LogRecord {
  const hasNames = names && Object.keys(names).length > 0
  return { ...record, data, ...(hasNames && { origin: { ...record.origin, ...names } }) }
}

/** The names in an origin that may not be shown. */
export function namesIn(
  origin: Origin | undefined,
  shown: Origin | undefined,
): Pick<Origin, 'agent' | 'path'> | undefined {
  const { agent, path } = origin ?? {}
  const isSame = agent === shown?.agent && path?.join('\n') === shown?.path?.join('\n')
  if (isSame) return undefined
  return { ...(agent !== undefined && { agent }), ...(path && { path }) }
}

/** No name of a thread holds a newline. */
function placeOf({ thread, id, type }: Placed): string {
  return `${thread}\n${id}\n${type}`
}
