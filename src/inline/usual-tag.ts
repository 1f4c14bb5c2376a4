import { HELD_MAX } from './held.ts'
import type { JsonReader } from './json-dialects.ts'
import type { Opening } from './opener.ts'
import { isShort } from './plain-text.ts'
import { decodeQuotes } from './quote-entities.ts'
import type { InlineEvent } from './tag.ts'

/** Behind the opener of a tag in the usual form. */
export const USUAL_START = ' type="'
const USUAL_HEAD = / type="[\w.:-]{1,128}" data='\{/y
const DATA_AT = `" data='`.length

const NEWLINE = 10
const SPACE = 32
const QUOTE = 34
const APOSTROPHE = 39
const SLASH = 47
const LESS = 60
const GREATER = 62
const CLOSE_BRACE = 125

/**
 * Gathers a tag up to where it may end at the earliest, and reads it there if it is written as nearly
 * all are. To look at each character of it, as is done for any other, takes twice the time.
 */
export class UsualTag {
  readonly opening: Opening
  /** The text read so far, with the opener. */
  text: string
  isGathered = false
  /** It is too long, or a character in it may end it early. */
  #isUnusual = false

  constructor(opening: Opening) {
    this.opening = opening
    this.text = opening.text
  }

  /** Takes a whole short chunk in which the tag can neither end nor break. */
  takesWhole(chunk: string): boolean {
    const isTooLong = this.text.length + chunk.length > HELD_MAX
    if (isTooLong || !isShort(chunk) || !goesOn(chunk)) return false
    this.text += chunk
    return true
  }

  /**
   * Reads on from `chunk[from]`; returns where it stopped. What it reads beyond a `<` or a newline is read
   * again as any other tag, and no later tag of the text is gathered, so searching stays in proportion.
   */
  gather(chunk: string, from: number): number {
    const greater = chunk.indexOf('>', from)
    const to = greater < 0 ? chunk.length : greater + 1
    const piece = chunk.slice(from, to)
    const isTooLong = this.text.length + piece.length > HELD_MAX
    // Where the end is known the tag is read at once, and refused if a `<` or a newline breaks it.
    this.#isUnusual = isTooLong || (greater < 0 && breaksIn(piece))
    this.isGathered = greater >= 0 || this.#isUnusual
    if (isTooLong) return from
    this.text += piece
    return to
  }

  /** The event; undefined when the tag has to be read otherwise. */
  read(reader: JsonReader): InlineEvent | undefined {
    const { text, opening } = this
    const jsonEnd = this.#isUnusual ? 0 : endOfJson(text)
    USUAL_HEAD.lastIndex = opening.text.length
    if (jsonEnd === 0 || !USUAL_HEAD.test(text)) return undefined
    const from = opening.text.length + USUAL_START.length
    const to = text.indexOf('"', from)
    const json = text.slice(to + DATA_AT, jsonEnd)
    // If the text is JSON, a walk through its braces ends at the same place.
    const data = reader.read(json, { dialect: 'literal', members: colonsIn(json) })
    if (typeof data === 'string') return undefined
    return { type: text.slice(from, to), data: decodeQuotes(data, json) }
  }
}

function breaksIn(text: string): boolean {
  return text.includes('<') || text.includes('\n')
}

/** By a loop, which is quicker than searching in a short text. */
function goesOn(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === GREATER || code === LESS || code === NEWLINE) return false
  }
  return true
}

/** The place of the quote behind the JSON of a tag that ends with `}'/>` or `}' />`; 0 when it does not. */
function endOfJson(tag: string): number {
  const slash = tag.length - 2
  if (tag.charCodeAt(slash) !== SLASH || tag.charCodeAt(slash + 1) !== GREATER) return 0
  const quote = tag.charCodeAt(slash - 1) === SPACE ? slash - 2 : slash - 1
  const isEnd = tag.charCodeAt(quote) === APOSTROPHE && tag.charCodeAt(quote - 1) === CLOSE_BRACE
  return isEnd ? quote : 0
}

/**
 * Counts the colons that may stand behind a member's name: behind its quote or a blank. A string that holds
 * such a one makes the count too high, never too low, and the tag is read otherwise.
 */
function colonsIn(json: string): number {
  let colons = 0
  for (let at = json.indexOf(':'); at >= 0; at = json.indexOf(':', at + 1)) {
    const before = json.charCodeAt(at - 1)
    if (before === QUOTE || before <= SPACE) colons++
  }
  return colons
}
