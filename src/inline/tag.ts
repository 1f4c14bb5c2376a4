import { readAttributes } from './attributes.ts'
import type { Span } from './attributes.ts'
import { BraceWalk } from './brace-walk.ts'
import { Held } from './held.ts'
import type { DropReason, Dropped } from './held.ts'
import type { JsonObject, JsonReader } from './json-dialects.ts'
import type { Opening } from './opener.ts'
import { decodeQuotes } from './quote-entities.ts'
import { TagEnd } from './tag-end.ts'
import { TagSyntax } from './tag-syntax.ts'

/** An event in an agent's text. Nothing in it is trusted. */
export interface InlineEvent {
  readonly type: string
  readonly data: JsonObject
}

/** The end of a tag whose JSON lacks the end of a string, and of one whose attribute does. */
const MISSED_JSON_END = /['"‘’“”}]\s*\/>/g
const MISSED_END = /\/>/g

/** Reads one tag from behind its opener to its end, every character once. */
export class Tag {
  readonly closing: boolean
  readonly held: Held
  /** Read so far, but not part of a tag that failed: to be read again as text. */
  rest = ''
  readonly #start: number
  /** In `skip` the tag can no longer be read; in `lost` it is too long even to look for its end. */
  #state: 'syntax' | 'json' | 'skip' | 'lost' | 'closed' | 'cut' = 'syntax'
  #fault: DropReason | undefined
  /** There is one once the tag can no longer be read. */
  #end: TagEnd | undefined
  readonly #syntax: TagSyntax
  readonly #walk = new BraceWalk()
  readonly #json: Span = { from: 0, to: 0 }

  constructor({ text, closing, offset }: Opening) {
    this.closing = closing
    this.#start = text.length
    this.#syntax = new TagSyntax(text.length)
    this.held = new Held(offset, text)
  }

  /** Whether the tag ended with the character just read, or before it. */
  get ended(): boolean {
    return this.#state === 'closed' || this.#state === 'cut'
  }

  /** Reads on from `chunk[from]`; returns how far it came. */
  read(chunk: string, from: number): number {
    if (this.#state === 'lost') return this.#resync(chunk, from)
    const to = this.held.fits(chunk, from)
    let at = from
    while (at < to && !this.ended) at = this.#readOn(chunk, at, to)
    if (at < chunk.length && !this.ended) this.#lose()
    return at
  }

  /** Ends the tag with the text. */
  endText(): void {
    if (this.ended || this.#state === 'lost') return
    if (this.#end) this.#cut(this.#end.lineEnd ?? this.held.length)
    else if (!this.#cutAtMissedEnd()) this.#fault = 'truncated'
  }

  /** The event that was read, or why there is none. */
  conclude(reader: JsonReader): { readonly event: InlineEvent; readonly raw: string } | Dropped {
    const raw = this.held.copy()
    const { type, data, fault } = readAttributes(raw, this.#start, this.#syntax.value)
    const reason = this.#fault ?? (this.#state === 'closed' ? fault : 'truncated')
    if (reason) return this.held.drop(reason, raw, type)
    if (data === 'none') return { event: { type, data: {} }, raw }
    const text = raw.slice(this.#json.from, this.#json.to)
    const json = reader.read(text, this.#walk)
    if (typeof json === 'string') return this.held.drop(json, raw, type)
    return { event: { type, data: decodeQuotes(json, text) }, raw }
  }

  #readOn(text: string, from: number, to: number): number {
    if (this.#end) return this.#seekEnd(this.#end, text, { from, to })
    return this.#state === 'json'
      ? this.#readJson(text, from, to)
      : this.#readSyntax(text, from, to)
  }

  #readSyntax(text: string, from: number, to: number): number {
    const shift = this.held.length - from
    for (let at = from; at < to; at++) {
      const found = this.#syntax.take(text.charCodeAt(at), at + shift)
      if (found === 'more') continue
      const end = found === 'broken' ? at : at + 1
      this.held.add(text, from, end)
      if (found === 'broken') this.#spoil()
      else if (found === 'closed') this.#state = 'closed'
      else {
        this.#json.from = at + shift
        this.#state = 'json'
      }
      return end
    }
    this.held.add(text, from, to)
    return to
  }

  #readJson(text: string, from: number, to: number): number {
    const at = this.#walk.run(text, from, to)
    this.held.add(text, from, at)
    if (this.#walk.state === 'broken') this.#spoil()
    if (this.#walk.state === 'closed') {
      this.#json.to = this.held.length
      this.#syntax.endJson(this.held.length)
      this.#state = 'syntax'
    }
    return at
  }

  /** From here on only the tag's end is of interest. */
  #spoil(): void {
    if (this.#cutAtMissedEnd()) return
    const { text } = this.held
    const isJson = this.#state === 'json'
    const from = isJson ? text.trimEnd().length : this.#syntax.soundTo
    this.#fault = 'malformed'
    this.#state = 'skip'
    this.#end = new TagEnd(text.slice(0, from).trimEnd())
    this.#end.seek(text, { from, to: text.length, shift: 0 })
    if (this.#end.found !== undefined) this.#cut(this.#end.found)
  }

  /** A string without its end may have taken in the end of its tag. */
  #cutAtMissedEnd(): boolean {
    const isJson = this.#state === 'json'
    const missed = isJson ? MISSED_JSON_END : MISSED_END
    // The walk begins behind the brace.
    const string = this.#json.from + 1 + this.#walk.lastString
    missed.lastIndex = isJson ? string + 1 : this.#syntax.suspectFrom
    if (!missed.test(this.held.text)) return false
    this.#cut(missed.lastIndex)
    return true
  }

  /** Ends the tag at a place that it has read. */
  #cut(place: number): void {
    this.#fault = 'malformed'
    this.#state = 'cut'
    this.rest = this.held.text.slice(place)
    this.held.giveBack(this.rest.length)
  }

  #seekEnd(end: TagEnd, text: string, { from, to }: Span): number {
    const at = end.seek(text, { from, to, shift: this.held.length - from })
    this.held.add(text, from, at)
    if (end.found !== undefined) this.#cut(end.found)
    return at
  }

  #lose(): void {
    if (this.#end?.lineEnd !== undefined) {
      this.#cut(this.#end.lineEnd)
      return
    }
    this.#fault ??= 'too_large'
    this.#state = 'lost'
  }

  /** A `/>` may be in a string here, so a lost tag ends at a newline. */
  #resync(chunk: string, from: number): number {
    const newline = chunk.indexOf('\n', from)
    if (newline >= 0) this.#state = 'cut'
    const to = newline >= 0 ? newline : chunk.length
    this.held.add(chunk, from, to)
    return to
  }
}
