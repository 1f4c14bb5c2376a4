import { isNameCode } from './characters.ts'

const OPENING = '<agent-event'
const CLOSING = '</agent-event'
const SLASH = 47

/** The text from a tag's `<` to the end of its name, and its place in the whole text. */
export interface Opening {
  readonly text: string
  /** Whether the tag is the `</agent-event>` of the paired form. */
  readonly closing: boolean
  readonly offset: number
}

/** Follows the text one character at a time and tells when it has spelled the start of a tag. */
export class Opener {
  #matched = 0
  #closing = false

  get text(): string {
    return this.#closing ? CLOSING.slice(0, this.#matched + 1) : OPENING.slice(0, this.#matched)
  }

  get length(): number {
    return this.#closing ? this.#matched + 1 : this.#matched
  }

  /** Whether it is spelled whole, and opens a tag. */
  get isWhole(): boolean {
    return this.#matched === OPENING.length && !this.#closing
  }

  accepts(code: number): boolean {
    if (code === SLASH && this.#matched === 1 && !this.#closing) {
      this.#closing = true
      return true
    }
    if (code !== OPENING.charCodeAt(this.#matched)) return false
    this.#matched++
    return true
  }

  /** Takes the whole opener of a tag at `text[at]`, if there is one; returns its end. */
  leap(text: string, at: number): number {
    if (this.#matched > 0 || !text.startsWith(OPENING, at)) return at
    this.#matched = OPENING.length
    return at + OPENING.length
  }

  /** Goes on to the next character, whether it spells on or starts again. */
  follow(code: number): void {
    if (this.accepts(code)) return
    this.reset()
    this.accepts(code)
  }

  /** Whether a tag starts here; `code` is what follows, since `<agent-events` is a word of its own. */
  endsBefore(code: number): boolean {
    return this.#matched === OPENING.length && !isNameCode(code)
  }

  /** The opener as it is spelled so far, which begins at `offset` of the whole text. */
  from(offset: number): Opening {
    return { text: this.text, closing: this.#closing, offset }
  }

  reset(): void {
    this.#matched = 0
    this.#closing = false
  }
}
