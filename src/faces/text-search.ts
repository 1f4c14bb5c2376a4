import { REDACTED, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

/** Characters of streamed texts that one search holds until they end; a longer one is searched in parts. */
export const SEARCH_HELD_CHARS_MAX = 1_048_576
/** Records that may come between the parts of one text. */
export const SEARCH_TEXT_RECORDS_MAX = 10_000
/** Characters of an excerpt before a hit, and behind its beginning. */
const BEFORE_CHARS = 60
const EXCERPT_CHARS = 240

/** Records of parts, and the member that names their whole. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['TEXT_MESSAGE_CONTENT', 'messageId'],
  ['REASONING_MESSAGE_CONTENT', 'messageId'],
  ['TOOL_CALL_ARGS', 'toolCallId'],
])
const ENDS: ReadonlyMap<string, string> = new Map([
  ['TEXT_MESSAGE_END', 'messageId'],
  ['REASONING_MESSAGE_END', 'messageId'],
  ['TOOL_CALL_END', 'toolCallId'],
])
const STREAMED = /"type":"(?:TEXT_MESSAGE|REASONING_MESSAGE|TOOL_CALL)_(?:CONTENT|ARGS|END)"/
/** Repeats what the messages and events of its call hold. */
const REPEATING = 'throughline.model_output'
const NOT_AS_IT_IS_IN_JSON = /["\\\p{Cc}\p{Cs}]/u
const ASCII = /^[\0-\x7f]*$/

/** A record with a hit. Of a text in several parts it is the part in which the hit begins. */
export interface Found {
  readonly seq: number
  readonly ts: number
  readonly type: string
  /** The text around the hit. */
  readonly text: string
}

interface Part {
  readonly record: LogRecord
  /** Where it begins in its whole. */
  readonly at: number
}

interface HeldText {
  text: string
  readonly parts: Part[]
}

const NOTHING: readonly Found[] = []

/**
 * Searches the records of one thread, in their order, for a text: in their types and in all that their data says,
 * without regard to case and to compatible spellings (NFKC). Texts that were streamed are searched as a whole.
 */
export class TextSearch {
  readonly #wanted: string
  readonly #isInJson: boolean
  readonly #held = new Map<string, HeldText>()
  #heldChars = 0

  constructor(wanted: string) {
    this.#wanted = folded(wanted)
    this.#isInJson = !NOT_AS_IT_IS_IN_JSON.test(this.#wanted)
  }

  /** The first record of a text that has not ended. */
  get openSince(): number | undefined {
    const [first] = this.#held.values()
    return first?.parts[0]?.record.seq
  }

  /** Whether a record has to be looked at, by its JSON alone. */
  isNeeded(json: string): boolean {
    return !this.#isInJson || STREAMED.test(json) || folded(json).includes(this.#wanted)
  }

  /** What the next record shows to be found: itself, or a text that it ends. */
  take(record: LogRecord): readonly Found[] {
    const { type, data } = record
    const whole = PARTS.get(type)
    if (whole !== undefined) return this.#hold(textOf(data, whole), record)
    const ended = ENDS.get(type)
    if (ended !== undefined) return this.#end(textOf(data, ended))
    if (type === 'CUSTOM' && textOf(data, 'name') === REPEATING) return NOTHING
    const text = this.#in(type) ?? this.#inLeaves(data)
    return text === undefined ? NOTHING : [{ seq: record.seq, ts: record.ts, type, text }]
  }

  /** What is found in texts that no record has ended. */
  end(): readonly Found[] {
    return [...this.#held.keys()].flatMap((key) => this.#end(key))
  }

  #hold(key: string, record: LogRecord): readonly Found[] {
    const delta = textOf(record.data, 'delta')
    if (delta === REDACTED) return NOTHING
    const held = this.#held.get(key) ?? { text: '', parts: [] }
    held.parts.push({ record, at: held.text.length })
    held.text += delta
    this.#held.set(key, held)
    this.#heldChars += delta.length
    const [oldest = key] = this.#held.keys()
    const isLate = (this.openSince ?? 0) < record.seq - SEARCH_TEXT_RECORDS_MAX
    return isLate || this.#heldChars > SEARCH_HELD_CHARS_MAX ? this.#end(oldest) : NOTHING
  }

  #end(key: string): readonly Found[] {
    const held = this.#held.get(key)
    if (!held) return NOTHING
    this.#held.delete(key)
    this.#heldChars -= held.text.length
    const text = this.#in(held.text)
    if (text === undefined) return NOTHING
    const at = folded(held.text).indexOf(this.#wanted)
    // A spelling that folds to another length may move the place to a neighbour.
    const part = held.parts.findLast((each) => each.at <= at) ?? held.parts[0]
    if (!part) return NOTHING
    const { seq, ts, type } = part.record
    return [{ seq, ts, type, text }]
  }

  #inLeaves(value: Json): string | undefined {
    if (typeof value === 'string') return value === REDACTED ? undefined : this.#in(value)
    if (typeof value === 'number') return this.#in(String(value))
    if (typeof value !== 'object' || value === null) return undefined
    for (const each of Object.values<Json | undefined>(value)) {
      const found = each === undefined ? undefined : this.#inLeaves(each)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The excerpt around the first hit in a text. */
  #in(text: string): string | undefined {
    const at = folded(text).indexOf(this.#wanted)
    if (at < 0) return undefined
    const plain = text.normalize('NFKC')
    const shown = plain.length === folded(text).length ? plain : folded(text)
    const from = Math.max(0, at - BEFORE_CHARS)
    const to = from + EXCERPT_CHARS
    const cut = shown.slice(from, to).toWellFormed()
    return `${from > 0 ? '…' : ''}${cut}${to < shown.length ? '…' : ''}`
  }
}

/** A text as it is compared. Of one in ASCII, NFKC changes nothing. */
function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')
}
