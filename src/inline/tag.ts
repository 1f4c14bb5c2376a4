import { readAttributes } from './attributes.ts'
import type { Span } from './attributes.ts'
import { BraceWalk } from './brace-walk.ts'
import { Held } from './held.ts'
import type { DropReason, Dropped } from './held.ts'
import { parseObject } from './json-dialects.ts'
import type { JsonObject } from './json-dialects.ts'
import { Opener } from './opener.ts'

/** What an agent's text says should happen. Nothing in it is trusted. */
export interface InlineEvent {
  readonly type: string
  readonly data: JsonObject
}

/**
 * In `skip` the tag can no longer be read and only its end is looked for; in `lost` it was too long
 * even for that. It ends `closed` with the character just read, or before it: `cut` by a newline or
 * `superseded` by the next tag's opener.
 */
type State = 'open' | 'quote' | 'quoted' | 'json' | 'behind' | 'skip' | 'lost' | Ended
type Ended = 'closed' | 'cut' | 'superseded'

/** Reads one tag from behind its opener to its end, every character once. */
export class Tag {
  readonly closing: boolean
  readonly held: Held
  readonly #start: number
  readonly #walk = new BraceWalk('patient')
  #state: State = 'open'
  #fault: DropReason | undefined
  /** The last character that was not blank. */
  #last = ''
  /** Another opener, looked for while skipping. */
  readonly #next = new Opener()
  #quote = ''
  #quoteAt = 0
  /** Where in the tag the JSON stands, and the value that is the JSON and its quotes. */
  readonly #json: Span = { from: 0, to: 0 }
  readonly #value: Span = { from: 0, to: 0 }

  constructor(opener: Opener, offset: number) {
    this.closing = opener.closing
    this.#start = opener.length
    this.held = new Held(offset, opener.text)
  }

  get ended(): boolean {
    return this.#state === 'closed' || this.#state === 'cut' || this.#state === 'superseded'
  }

  /** Reads on from `chunk[from]`; returns where the tag ended, or the chunk's length. */
  read(chunk: string, from: number): number {
    if (this.#state === 'lost') return this.#resync(chunk, from)
    const shift = this.held.length - from
    const text = chunk.slice(0, from + this.held.room)
    let at = from
    while (at < text.length && !this.ended) {
      at =
        this.#state === 'json' ? this.#readJson(text, at, shift) : this.#readChar(text, at, shift)
    }
    this.held.add(chunk, from, at)
    if (this.#state === 'superseded') this.held.giveBack(this.#next.length)
    else if (at < chunk.length && !this.ended) this.#lose()
    return at
  }

  /** The tag whose opener ended this one. */
  successor(): Tag | undefined {
    if (this.#state !== 'superseded') return undefined
    return new Tag(this.#next, this.held.offset + this.held.length)
  }

  /** The event that was read, or why there is none. */
  conclude(): { readonly event: InlineEvent; readonly raw: string } | Dropped {
    const raw = this.held.copy()
    const { type, data, fault } = readAttributes(raw, this.#start, this.#value)
    const reason = this.#fault ?? (this.#state === 'closed' ? fault : 'truncated')
    if (reason) return this.held.drop(reason, type)
    if (data === 'none') return { event: { type, data: {} }, raw }
    const json = parseObject(raw.slice(this.#json.from, this.#json.to), this.#walk)
    if (typeof json === 'string') return this.held.drop(json, type)
    return { event: { type, data: json }, raw }
  }

  #readJson(text: string, from: number, shift: number): number {
    const at = this.#walk.run(text, from)
    if (this.#walk.state === 'broken') return this.#spoil(text, at)
    if (this.#walk.state === 'closed') {
      this.#json.to = at + shift
      this.#value.to = at + shift
      this.#state = 'behind'
      this.#last = '}'
    }
    return at
  }

  #readChar(text: string, from: number, shift: number): number {
    const at = this.#skipWord(text, from)
    if (at === text.length) return at
    const char = text.charAt(at)
    const state = this.#step(char, at + shift)
    if (state === 'skip' && this.#state !== 'skip') return this.#spoil(text, at)
    this.#state = state
    if (state === 'cut' || state === 'superseded') return at
    if (!isSpace(char)) this.#last = char
    return at + 1
  }

  /** Most of a tag is letters, and those change nothing. */
  #skipWord(text: string, from: number): number {
    if (this.#state !== 'open' && this.#state !== 'quoted') return from
    let at = from
    while (isLetter(text.charCodeAt(at))) at++
    if (at > from) this.#last = text.charAt(at - 1)
    return at
  }

  /** From here on, `text[at]` included, only the tag's end is of interest. */
  #spoil(text: string, at: number): number {
    this.#fault = 'malformed'
    this.#state = 'skip'
    this.#last = (text.slice(0, at).trimEnd() || this.held.text.trimEnd()).slice(-1)
    return at
  }

  #lose(): void {
    this.#fault ??= 'too_large'
    this.#state = 'lost'
  }

  /** Nothing tells whether a `/>` stands in a string here, so a lost tag ends at a newline. */
  #resync(chunk: string, from: number): number {
    const newline = chunk.indexOf('\n', from)
    if (newline >= 0) this.#state = 'cut'
    const to = newline >= 0 ? newline : chunk.length
    this.held.add(chunk, from, to)
    return to
  }

  #step(char: string, position: number): State {
    if (this.#state === 'quote') return this.#quoteOpened(char, position)
    if (this.#state === 'quoted') return this.#quoted(char)
    if (this.#state === 'behind') return this.#behind(char, position)
    return this.#state === 'skip' ? this.#skip(char) : this.#open(char, position)
  }

  #open(char: string, position: number): State {
    if (char === '>') return 'closed'
    if (char === '<') return 'skip'
    if (char !== '{' && char !== '"' && char !== "'") return 'open'
    if (this.#last !== '=') return 'skip'
    this.#quote = char === '{' ? '' : char
    this.#quoteAt = position
    return char === '{' ? this.#startJson(position) : 'quote'
  }

  #quoteOpened(char: string, position: number): State {
    if (isSpace(char)) return 'quote'
    return char === '{' ? this.#startJson(position) : this.#quoted(char)
  }

  #quoted(char: string): State {
    if (char === this.#quote) return 'open'
    return char === '<' || char === '\n' ? 'skip' : 'quoted'
  }

  #startJson(position: number): State {
    if (this.#json.to > 0) return 'skip'
    this.#json.from = position
    this.#value.from = this.#quoteAt
    return 'json'
  }

  #behind(char: string, position: number): State {
    if (isSpace(char)) return 'behind'
    if (char !== this.#quote) return this.#open(char, position)
    this.#value.to = position + 1
    return 'open'
  }

  /** What cannot be read ends at a `/>`, at the end of a line that ends in `>`, or at the next tag. */
  #skip(char: string): State {
    const code = char.charCodeAt(0)
    if (this.#next.endsBefore(code)) return 'superseded'
    if (!this.#next.accepts(code)) {
      this.#next.reset()
      this.#next.accepts(code)
    }
    if (char === '>' && this.#last === '/') return 'closed'
    return char === '\n' && this.#last === '>' ? 'cut' : 'skip'
  }
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || code === 95
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r'
}
