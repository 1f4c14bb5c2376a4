import { readAttributes } from './attributes.ts'
import type { Span } from './attributes.ts'
import { BraceWalk } from './brace-walk.ts'
import { Held } from './held.ts'
import type { DropReason, Dropped } from './held.ts'
import type { JsonObject, JsonReader } from './json-dialects.ts'
import type { Opener } from './opener.ts'
import { TagEnd, isSpace } from './tag-end.ts'

/** What an agent's text says should happen. Nothing in it is trusted. */
export interface InlineEvent {
  readonly type: string
  readonly data: JsonObject
}

/** In `skip` the tag can no longer be read; in `lost` it is too long even to look for its end. */
type State = 'open' | 'quote' | 'quoted' | 'json' | 'behind' | 'skip' | 'lost'

const NEWLINE = 10
const QUOTE = 34
const APOSTROPHE = 39
const LESS = 60
const EQUALS = 61
const GREATER = 62
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Reads one tag from behind its opener to its end, every character once. */
export class Tag {
  readonly closing: boolean
  readonly held: Held
  /** With the character just read, or before it: by a newline or by the next tag's opener. */
  ended: TagEnd['found']
  readonly #start: number
  #state: State = 'open'
  #fault: DropReason | undefined
  /** There is one once the tag can no longer be read. */
  #end: TagEnd | undefined
  /** The last character that was not blank. */
  #last = 0
  #quote = 0
  #quoteAt = 0
  readonly #walk = new BraceWalk('patient')
  /** Where in the tag the JSON stands, and the value that is the JSON and its quotes. */
  readonly #json: Span = { from: 0, to: 0 }
  readonly #value: Span = { from: 0, to: 0 }
  /** From a place in the chunk to the same place in the tag. */
  #shift = 0

  constructor({ text, closing }: Pick<Opener, 'text' | 'closing'>, offset: number) {
    this.closing = closing
    this.#start = text.length
    this.held = new Held(offset, text)
  }

  /** Reads on from `chunk[from]`; returns where the tag ended, or the chunk's length. */
  read(chunk: string, from: number): number {
    if (this.#state === 'lost') return this.#resync(chunk, from)
    const to = this.held.fits(chunk, from)
    this.#shift = this.held.length - from
    let at = from
    while (at < to && !this.ended) at = this.#readOn(chunk, at, to)
    this.held.add(chunk, from, at)
    if (this.#end && this.ended === 'superseded') this.held.giveBack(this.#end.next.length)
    else if (at < chunk.length && !this.ended) this.#lose()
    return at
  }

  /** The tag whose opener ended this one. */
  successor(): Tag | undefined {
    if (!this.#end || this.ended !== 'superseded') return undefined
    return new Tag(this.#end.next, this.held.offset + this.held.length)
  }

  /** The event that was read, or why there is none. */
  conclude(reader: JsonReader): { readonly event: InlineEvent; readonly raw: string } | Dropped {
    const raw = this.held.copy()
    const { type, data, fault } = readAttributes(raw, this.#start, this.#value)
    const reason = this.#fault ?? (this.ended === 'closed' ? fault : 'truncated')
    if (reason) return this.held.drop(reason, raw, type)
    if (data === 'none') return { event: { type, data: {} }, raw }
    const json = reader.read(raw.slice(this.#json.from, this.#json.to), this.#walk)
    if (typeof json === 'string') return this.held.drop(json, raw, type)
    return { event: { type, data: json }, raw }
  }

  /** Reads at least to where the state changes, or one character. */
  #readOn(text: string, from: number, to: number): number {
    if (this.#end) {
      const end = this.#end.seek(text, from, to)
      this.ended = this.#end.found
      return end
    }
    if (this.#state === 'json') return this.#readJson(text, from, to)
    const at = this.#passOver(text, from, to)
    if (at === to) return at
    const code = text.charCodeAt(at)
    const state = this.#step(code, at + this.#shift)
    if (state === 'skip') return this.#spoil(text, at)
    this.#state = state
    if (!isSpace(code)) this.#last = code
    return at + 1
  }

  #readJson(text: string, from: number, to: number): number {
    const at = this.#walk.run(text, from, to)
    if (this.#walk.state === 'broken') return this.#spoil(text, at)
    if (this.#walk.state === 'closed') {
      this.#json.to = at + this.#shift
      this.#value.to = at + this.#shift
      this.#state = 'behind'
      this.#last = CLOSE_BRACE
    }
    return at
  }

  /** Passes over what can change nothing, which is most of a tag. */
  #passOver(text: string, from: number, to: number): number {
    let at = from
    if (this.#state === 'quoted') {
      while (at < to && !this.#endsQuoted(text.charCodeAt(at))) at++
    } else if (this.#state === 'open') {
      while (at < to && !isDelimiter(text.charCodeAt(at))) at++
      this.#look(text, from, at)
    }
    return at
  }

  #endsQuoted(code: number): boolean {
    return code === this.#quote || code === LESS || code === NEWLINE
  }

  /** Notes the last character of `text[from, to)` that is not blank. */
  #look(text: string, from: number, to: number): void {
    let at = to - 1
    while (at >= from && isSpace(text.charCodeAt(at))) at--
    if (at >= from) this.#last = text.charCodeAt(at)
  }

  /** From here on, `text[at]` included, only the tag's end is of interest. */
  #spoil(text: string, at: number): number {
    const before = text.slice(0, at).trimEnd() || this.held.text.trimEnd()
    this.#fault = 'malformed'
    this.#end = new TagEnd(before.charCodeAt(before.length - 1))
    return at
  }

  #lose(): void {
    this.#fault ??= 'too_large'
    this.#state = 'lost'
  }

  /** A `/>` may be in a string here, so a lost tag ends at a newline. */
  #resync(chunk: string, from: number): number {
    const newline = chunk.indexOf('\n', from)
    if (newline >= 0) this.ended = 'cut'
    const to = newline >= 0 ? newline : chunk.length
    this.held.add(chunk, from, to)
    return to
  }

  #step(code: number, position: number): State {
    if (this.#state === 'quote') return this.#quoteOpened(code, position)
    if (this.#state === 'quoted') return this.#quoted(code)
    return this.#state === 'behind' ? this.#behind(code, position) : this.#open(code, position)
  }

  #open(code: number, position: number): State {
    if (code === GREATER) this.ended = 'closed'
    if (code === LESS) return 'skip'
    if (!isValueStart(code)) return 'open'
    if (this.#last !== EQUALS) return 'skip'
    this.#quote = code === OPEN_BRACE ? 0 : code
    this.#quoteAt = position
    return code === OPEN_BRACE ? this.#startJson(position) : 'quote'
  }

  #quoteOpened(code: number, position: number): State {
    if (isSpace(code)) return 'quote'
    return code === OPEN_BRACE ? this.#startJson(position) : this.#quoted(code)
  }

  #quoted(code: number): State {
    if (!this.#endsQuoted(code)) return 'quoted'
    return code === this.#quote ? 'open' : 'skip'
  }

  #startJson(position: number): State {
    if (this.#json.to > 0) return 'skip'
    this.#json.from = position
    this.#value.from = this.#quoteAt
    return 'json'
  }

  #behind(code: number, position: number): State {
    if (isSpace(code)) return 'behind'
    if (code !== this.#quote) return this.#open(code, position)
    this.#value.to = position + 1
    return 'open'
  }
}

/** Whether a character between values ends the tag, or begins a value or what should not be there. */
function isDelimiter(code: number): boolean {
  return code === GREATER || code === LESS || isValueStart(code)
}

function isValueStart(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE || code === OPEN_BRACE
}
