const OPENING = '<agent-event'
const CLOSING = '</agent-event'
const SLASH = 47

/** Follows the text one character at a time and tells when it has spelled the start of a tag. */
export class Opener {
  #matched = 0
  #closing = false

  /** Whether the tag is the `</agent-event>` of the paired form. */
  get closing(): boolean {
    return this.#closing
  }

  /** The characters matched so far. */
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

  /** Whether the next character goes on spelling an opener. */
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

  reset(): void {
    this.#matched = 0
    this.#closing = false
  }
}

function isNameCode(code: number): boolean {
  return /[\w:.-]/.test(String.fromCharCode(code))
}
