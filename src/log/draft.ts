import { DATA_SIZE_MAX, encodeJson } from './encode-json.ts'
import type { Encoded } from './encode-json.ts'
import { LogError, invalidEvent, quote } from './log-error.ts'
import { encodeOrigin } from './origin.ts'
import type { LogRecord, NewEvent, Origin } from './record.ts'

/** The stored text of one record, in UTF-8 bytes. */
export const RECORD_BYTES_MAX = DATA_SIZE_MAX
export const THREAD_CHARS_MAX = 200
export const TYPE_CHARS_MAX = 128

/** The size of a stored text beside the event's own part: seq, prev and their punctuation. */
const FRAME_BYTES_MAX = '{"seq":,,"prev":""}'.length + 16 + 64

/** The sources of ids and times for events without them. */
export interface Sources {
  readonly now: () => number
  readonly id: () => string
}

/** An event checked and encoded: all of a record but its place in the chain. */
export interface Draft {
  readonly event: Omit<LogRecord, 'seq' | 'prev' | 'hash'>
  /** Its part of the stored text: the members from `id` to `v`. */
  readonly json: string
}

/** Drafts the events of one append. */
export class Drafter {
  readonly #thread: string
  readonly #threadText: string
  readonly #sources: Sources
  /** The events of one append mostly share one origin. */
  #last: { readonly given: Origin; readonly encoded: Encoded<Origin> } | undefined

  /** @throws {@link LogError} `invalid_event` when this is not a thread's name */
  constructor(thread: string, sources: Sources) {
    if (!isThreadName(thread)) throw invalidEvent(`${quote(thread)} is not a thread's name`)
    this.#thread = thread
    this.#threadText = JSON.stringify(thread)
    this.#sources = sources
  }

  /**
   * Checks an event and copies it, so that the caller may change its own object afterwards.
   *
   * @throws {@link LogError} `invalid_event`, `too_large`
   */
  draft(event: NewEvent): Draft {
    const { id, ts, type, v } = checkedParts(event, this.#sources)
    const data = encodeJson(event.data, 'data')
    const origin = this.#originOf(event)
    const json =
      `"id":"${id}","thread":${this.#threadText},"ts":${ts},"type":${JSON.stringify(type)},` +
      `"data":${data.text},"origin":${origin.text},"v":${v}`
    if (bytesExceed(json, RECORD_BYTES_MAX - FRAME_BYTES_MAX)) {
      throw new LogError(
        'too_large',
        `Cannot append the event: its record passes ${RECORD_BYTES_MAX} bytes`,
      )
    }
    const thread = this.#thread
    return { event: { id, thread, ts, type, data: data.value, origin: origin.value, v }, json }
  }

  #originOf({ origin: given = OUR_OWN }: NewEvent): Encoded<Origin> {
    if (this.#last?.given !== given) this.#last = { given, encoded: encodeOrigin(given) }
    return this.#last.encoded
  }
}

/** Says why no log can hold an event; `undefined` when one can. */
export function faultOf(event: NewEvent): LogError | undefined {
  try {
    new Drafter(LONGEST_NAME, { now: () => 0, id: () => NIL }).draft(event)
    return undefined
  } catch (error) {
    if (error instanceof LogError) return error
    throw error
  }
}

/** The origin of an event without one. */
const OUR_OWN: Origin = Object.freeze({ source: 'system', depth: 0 })

function checkedParts(event: NewEvent, sources: Sources) {
  const { type, v = 1, ts = sources.now(), id: given } = event
  if (!isType(type)) {
    throw invalidEvent(`its type ${quote(type)} is not 1 to ${TYPE_CHARS_MAX} characters`)
  }
  if (!Number.isSafeInteger(ts)) throw invalidEvent(`its ts ${quote(ts)} is no whole number`)
  if (!Number.isSafeInteger(v) || v < 1) throw invalidEvent(`its v ${quote(v)} is not a version`)
  if (given !== undefined && !isUuid(given)) {
    throw invalidEvent(`its id ${quote(given)} is not a UUID`)
  }
  const id = given?.toLowerCase() ?? sources.id()
  // A time of −0 has the text of 0.
  return { id, ts: ts || 0, type, v }
}

export function isThreadName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.length <= THREAD_CHARS_MAX &&
    name.isWellFormed() &&
    !CONTROL.test(name)
  )
}

export function isUuid(id: unknown): id is string {
  return typeof id === 'string' && UUID.test(id)
}

function isType(type: unknown): boolean {
  return typeof type === 'string' && type !== '' && type.length <= TYPE_CHARS_MAX
}

const LONGEST_NAME = 'x'.repeat(THREAD_CHARS_MAX)
const NIL = '00000000-0000-0000-0000-000000000000'
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const CONTROL = /\p{Cc}/u

/** Counts UTF-8 bytes without an encoder, and only when the length leaves it open. */
function bytesExceed(text: string, max: number): boolean {
  if (text.length * 3 <= max) return false
  let bytes = text.length
  for (let index = 0; index < text.length && bytes <= max; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    // Either half of a surrogate pair makes up two of the pair's four bytes.
    bytes += code < 0x800 || (code & 0xf800) === 0xd800 ? 1 : 2
  }
  return bytes > max
}
