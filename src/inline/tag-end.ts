import type { Span } from './attributes.ts'
import { isSpace } from './characters.ts'
import { Opener } from './opener.ts'

const NEWLINE = 10
const GREATER = 62

/** The end of a tag with JSON in it, which prose does not have by chance. */
const JSON_TAG_END = /\}['"‘’“”]?\/>$/
const JSON_TAIL_LENGTH = 3

/**
 * Finds where a tag ends that cannot be read: behind the `/>` on its line, or behind one in the same
 * paragraph that closes JSON, but before the next tag's opener; otherwise with its line.
 */
export class TagEnd {
  /** The place of the tag's end. */
  found: number | undefined
  /** The place of the first newline. */
  lineEnd: number | undefined
  readonly #next = new Opener()
  #isLineBlank = false
  /** The last characters that were not blank. */
  #tail: string

  constructor(tail: string) {
    this.#tail = tail.slice(-JSON_TAIL_LENGTH)
  }

  /** Looks through `text[from, to)`; `shift` turns a place in it into the place that is noted. */
  seek(text: string, { from, to, shift }: Readonly<Span> & { shift: number }): number {
    for (let at = from; at < to; at++) {
      this.#take(text.charCodeAt(at), at + shift)
      if (this.found !== undefined) return at + 1
    }
    return to
  }

  #take(code: number, place: number): void {
    if (this.#next.endsBefore(code)) this.found = this.lineEnd ?? place - this.#next.length
    else if (code === NEWLINE) this.#endLine(place)
    else if (code === GREATER && this.#closesTag()) this.found = place + 1
    this.#next.follow(code)
    if (isSpace(code)) return
    this.#isLineBlank = false
    this.#tail = (this.#tail + String.fromCharCode(code)).slice(-JSON_TAIL_LENGTH)
  }

  #closesTag(): boolean {
    if (!this.#tail.endsWith('/')) return false
    return this.lineEnd === undefined || JSON_TAG_END.test(`${this.#tail}>`)
  }

  #endLine(place: number): void {
    if (this.lineEnd !== undefined && this.#isLineBlank) this.found = this.lineEnd
    this.lineEnd ??= place
    this.#isLineBlank = true
  }
}
