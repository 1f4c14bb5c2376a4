import type { Span } from './attributes.ts'
import { closesQuote, isNameCode, isQuote, isSpace } from './characters.ts'

const NEWLINE = 10
const QUOTE = 34
const SLASH = 47
const LESS = 60
const EQUALS = 61
const GREATER = 62
const OPEN_BRACE = 123

/** The effect of a character: it begins the JSON, closes the tag, or is not allowed there. */
export type SyntaxStep = 'more' | 'json' | 'closed' | 'broken'

/** Follows a tag from behind its opener, except through its JSON. */
export class TagSyntax {
  /** Behind the last value, or behind the opener: the text so far can be read. */
  soundTo: number
  /** An end of the tag that was taken for text can only be behind this place. */
  suspectFrom: number
  /** The value that holds the JSON, with its quotes; 0 until then. */
  readonly value: Span = { from: 0, to: 0 }
  /** In `begun` a quote has been opened and nothing but blanks followed; `behind` is behind JSON. */
  #state: 'name' | 'begun' | 'quoted' | 'behind' = 'name'
  #quote = 0
  #quoteAt = 0
  /** The last character that was not blank, outside values. */
  #last = 0
  #isBehindBlank = false

  constructor(start: number) {
    this.soundTo = start
    this.suspectFrom = start
  }

  take(code: number, place: number): SyntaxStep {
    switch (this.#state) {
      case 'name':
        return this.#between(code, place)
      case 'begun':
        return this.#begun(code, place)
      case 'quoted':
        return this.#quoted(code, place)
      case 'behind':
        return this.#behind(code, place)
    }
  }

  /** The JSON has ended before this place. */
  endJson(place: number): void {
    this.value.to = place
    this.#state = 'behind'
    this.#endValue(place)
  }

  #endValue(place: number): void {
    this.soundTo = place
    this.suspectFrom = place
    this.#last = QUOTE
    this.#isBehindBlank = false
  }

  #between(code: number, place: number): SyntaxStep {
    if (code === GREATER) return 'closed'
    if (isSpace(code)) {
      this.#isBehindBlank = true
      return 'more'
    }
    if (isValueStart(code)) return this.#startValue(code, place)
    const isExpected = this.#mayFollow(code)
    this.#last = code
    this.#isBehindBlank = false
    return isExpected ? 'more' : 'broken'
  }

  #mayFollow(code: number): boolean {
    const afterName = isNameCode(this.#last)
    if (code === EQUALS) return afterName
    if (this.#last === EQUALS || this.#last === SLASH) return false
    if (code === SLASH) return true
    return isNameCode(code) && !(afterName && this.#isBehindBlank)
  }

  #startValue(code: number, place: number): SyntaxStep {
    if (this.#last !== EQUALS) return 'broken'
    this.#quote = code === OPEN_BRACE ? 0 : code
    this.#quoteAt = place
    this.suspectFrom = place
    if (code === OPEN_BRACE) return this.#startJson()
    this.#state = 'begun'
    return 'more'
  }

  #begun(code: number, place: number): SyntaxStep {
    if (isSpace(code)) return 'more'
    if (code === OPEN_BRACE) return this.#startJson()
    this.#state = 'quoted'
    return this.#quoted(code, place)
  }

  #quoted(code: number, place: number): SyntaxStep {
    if (closesQuote(code, this.#quote)) {
      const from = this.suspectFrom
      this.#state = 'name'
      this.#endValue(place + 1)
      // The value may be the text up to the next quote in prose.
      this.suspectFrom = from
      return 'more'
    }
    if (code !== LESS && code !== NEWLINE) return 'more'
    this.soundTo = this.#quoteAt + 1
    return 'broken'
  }

  #startJson(): SyntaxStep {
    if (this.value.to > 0) return 'broken'
    this.value.from = this.#quoteAt
    return 'json'
  }

  #behind(code: number, place: number): SyntaxStep {
    if (isSpace(code)) return 'more'
    this.#state = 'name'
    if (!closesQuote(code, this.#quote)) return this.#between(code, place)
    this.value.to = place + 1
    this.#endValue(place + 1)
    return 'more'
  }
}

function isValueStart(code: number): boolean {
  return isQuote(code) || code === OPEN_BRACE
}
