import { isSpace } from './characters.ts'
import { CodeMarks } from './code-marks.ts'
import type { Dropped } from './held.ts'
import { JsonReader } from './json-dialects.ts'
import { MarkerLine } from './marker-line.ts'
import type { Marker } from './marker-line.ts'
import { Prose } from './prose.ts'

/** The result of one piece of text. `raw[i]` is the text that `markers[i]` was read from. */
export interface MarkerResult {
  readonly displayText: string
  readonly markers: readonly Marker[]
  readonly raw: readonly string[]
  readonly dropped: readonly Dropped[]
}

/**
 * Separates prose from marker lines such as `[AGENT_STATUS] {"agents":[]}`, as the text arrives.
 *
 * A marker stands at the start of a line, with or without a colon, and its JSON may go on over
 * further lines. It is never shown. In a block of code it is prose, as a tag is. Splitting the text differently changes nothing.
 *
 * @example
 * const parser = new MarkerParser(['AGENT_STATUS'])
 * parser.feed('[AGENT_STATUS] {"agents":[]}\nReady.').displayText // 'Ready.'
 */
export class MarkerParser {
  /** By the beginning of the line. */
  readonly #names: ReadonlyMap<string, string>
  readonly #prose = new Prose()
  readonly #code = new CodeMarks()
  readonly #reader = new JsonReader()
  /** The start of a `[NAME]` that is not complete yet. */
  #opener = ''
  #line: MarkerLine | undefined
  /** Nothing but blanks and markers so far in this line. */
  #isFresh = true
  /** Length of all chunks before this one. */
  #seen = 0
  #markers: Marker[] = []
  #raw: string[] = []
  #dropped: Dropped[] = []

  constructor(names: readonly string[]) {
    this.#names = new Map(names.map((name) => [`[${name}]`, name]))
  }

  feed(chunk: string): MarkerResult {
    this.#read(chunk, this.#seen)
    this.#seen += chunk.length
    return this.#take()
  }

  /** Ends the text; afterwards the parser can read another one. */
  flush(): MarkerResult {
    if (this.#line) this.#finish(this.#line)
    this.#releaseOpener()
    this.#isFresh = true
    this.#prose.end()
    this.#code.reset()
    this.#seen = 0
    return this.#take()
  }

  /** Reads all of `text`, which is at `offset` in the whole. */
  #read(text: string, offset: number): void {
    let at = 0
    while (at < text.length) {
      if (this.#line) at = this.#readMarker(this.#line, { text, from: at, offset })
      else if (this.#isFresh) at = this.#readFresh(text, at, offset)
      else at = this.#readLine(text, at)
    }
  }

  #readMarker(line: MarkerLine, piece: { text: string; from: number; offset: number }): number {
    const at = line.read(piece.text, piece.from)
    if (line.ended) {
      this.#finish(line)
      // At most one line, and never the same twice: the whole stays linear.
      this.#read(line.rest, piece.offset + at - line.rest.length)
    }
    return at
  }

  /** Reads on in a line that may still begin with a marker. */
  #readFresh(text: string, from: number, offset: number): number {
    const blanks = this.#opener === '' ? skipBlanks(text, from) : from
    if (blanks > from) {
      this.#show(text.slice(from, blanks))
      return blanks
    }
    const opener = this.#opener + text.charAt(from)
    const name = this.#names.get(opener)
    if (name !== undefined) {
      this.#line = new MarkerLine(name, opener, offset + from + 1 - opener.length)
      this.#opener = ''
    } else if (this.#isOpening(opener) && !this.#code.beginsInCode()) {
      this.#opener = opener
    } else {
      this.#releaseOpener()
      this.#isFresh = false
      return from
    }
    return from + 1
  }

  #readLine(text: string, from: number): number {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline + 1
    this.#show(text.slice(from, to))
    this.#isFresh = newline >= 0
    return to
  }

  #isOpening(text: string): boolean {
    for (const opener of this.#names.keys()) if (opener.startsWith(text)) return true
    return false
  }

  #releaseOpener(): void {
    this.#show(this.#opener)
    this.#opener = ''
  }

  #finish(line: MarkerLine): void {
    this.#line = undefined
    this.#prose.takeOut()
    const end = line.conclude(this.#reader)
    if ('marker' in end) {
      this.#markers.push(end.marker)
      this.#raw.push(end.raw)
    } else {
      this.#dropped.push(end)
    }
  }

  #show(text: string): void {
    if (text === '') return
    this.#code.pass(text)
    this.#prose.add(text, 0, text.length)
  }

  #take(): MarkerResult {
    const result = {
      displayText: this.#prose.read(),
      markers: this.#markers,
      raw: this.#raw,
      dropped: this.#dropped,
    }
    this.#markers = []
    this.#raw = []
    this.#dropped = []
    return result
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}
