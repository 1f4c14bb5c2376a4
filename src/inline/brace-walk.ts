/** How the quotes of a JSON text are written: `"`, `\"` or `“ ”`. */
export type Dialect = 'literal' | 'flattened' | 'folded'

const NEWLINE = 10
const QUOTE = 34
const APOSTROPHE = 39
const COMMA = 44
const COLON = 58
const LESS = 60
const BACKSLASH = 92
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const WORD = /^(?:-?(?:\d[-+.\deE]*)?|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)$/

/**
 * Finds the end of a JSON object by walking its braces, one character at a time, each seen once.
 *
 * Only what can be in no dialect breaks the walk: a raw newline in a string, and outside strings `<`, `'`,
 * a word that is not JSON, and anything right behind a string but what JSON has there. Everything else is
 * left to the JSON parser.
 */
export class BraceWalk {
  state: 'open' | 'closed' | 'broken' = 'open'
  /** The first that the text can still be. */
  dialect: Dialect = 'literal'
  /** Members written in all objects together. */
  members = 0
  #depth = 1
  #inString = false
  #slashes = 0
  #word = ''
  /** The last string began here, counted from where the walk began. */
  lastString = 0
  #isBehindString = false
  /** Length of what earlier calls walked through. */
  #walked = 0

  /** Walks on through `text[from, to)`; returns where it stopped: behind the `}` or before the break. */
  run(text: string, from: number, to: number): number {
    let at = from
    while (at < to && this.state === 'open') {
      if (this.#inString) at = this.#inside(text, at, to)
      else this.#outside(text.charCodeAt(at), this.#walked + at++ - from)
    }
    this.#walked += at - from
    return this.state === 'broken' ? at - 1 : at
  }

  /** Walks to behind the end of a string, or behind the newline that breaks it. */
  #inside(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code === BACKSLASH) {
        this.#slashes++
        continue
      }
      const isEnd = this.#isQuote(code) && !this.#isEscaped()
      this.#slashes = 0
      if (code === NEWLINE) this.state = 'broken'
      else if (isEnd) {
        this.#inString = false
        this.#isBehindString = true
      } else continue
      return at + 1
    }
    return to
  }

  #outside(code: number, place: number): void {
    // Setting bit 5 turns a bracket into its brace.
    const brace = code | 32
    if (brace === OPEN_BRACE) this.#depth++
    else if (brace === CLOSE_BRACE) this.state = --this.#depth === 0 ? 'closed' : 'open'
    else if (code === COLON) this.members++
    else if (code === LESS || code === APOSTROPHE) this.state = 'broken'
    else if (code === QUOTE || isSmart(code)) this.#openString(code, place)
    else this.#spell(code)
    if (endsItem(code)) this.#isBehindString = false
    this.#slashes = code === BACKSLASH ? this.#slashes + 1 : 0
  }

  #openString(code: number, place: number): void {
    if (this.#isBehindString) {
      this.state = 'broken'
      return
    }
    this.lastString = place
    if (this.dialect === 'literal') {
      if (code !== QUOTE) this.dialect = 'folded'
      else if (this.#slashes % 2 === 1) this.dialect = 'flattened'
    }
    this.#inString = this.#isQuote(code)
  }

  #isQuote(code: number): boolean {
    return code === QUOTE || (this.dialect === 'folded' && isSmart(code))
  }

  #isEscaped(): boolean {
    // Flattening removes one backslash before every quote; the remaining ones decide.
    const slashes = this.dialect === 'flattened' ? Math.max(0, this.#slashes - 1) : this.#slashes
    return slashes % 2 === 1
  }

  #spell(code: number): void {
    const char = String.fromCharCode(code)
    this.#word = /[\s,\\]/.test(char) ? '' : `${this.#word}${char}`
    const isMisplaced = this.#isBehindString && this.#word !== ''
    if (isMisplaced || !WORD.test(this.#word)) this.state = 'broken'
  }
}

/** Whether a string may follow on a string with this in between. */
function endsItem(code: number): boolean {
  const brace = code | 32
  return brace === OPEN_BRACE || brace === CLOSE_BRACE || code === COLON || code === COMMA
}

function isSmart(code: number): boolean {
  return code === 0x201c || code === 0x201d
}
