import { HELD_MAX } from './held.ts'
import type { JsonReader } from './json-dialects.ts'
import type { Opening } from './opener.ts'
import { decodeQuotes } from './quote-entities.ts'
import type { InlineEvent } from './tag.ts'

const USUAL_HEAD = / type="[\w.:-]{1,128}" data='\{/y
const TYPE_AT = ' type="'.length
const DATA_AT = `" data='`.length

const NEWLINE = 10
const SPACE = 32
const QUOTE = 34
const LESS = 60
const GREATER = 62

/**
 * Gathers a tag up to where it may end at the earliest, and reads it there if it is written as nearly
 * all are. To look at each character of it, as is done for any other, takes twice the time.
 */
export class UsualTag {
  readonly opening: Opening
  /** The text read so far, with the opener. */
  text: string
  isGathered = false

  constructor(opening: Opening) {
    this.opening = opening
    this.text = opening.text
  }

  /** Reads on from `chunk[from]`; returns where it stopped. */
  gather(chunk: string, from: number): number {
    const end = earliestEnd(chunk, from)
    const to = chunk.charCodeAt(end) === GREATER ? end + 1 : end
    const isTooLong = this.text.length + to - from > HELD_MAX
    this.isGathered = end < chunk.length || isTooLong
    if (isTooLong) return from
    this.text += chunk.slice(from, to)
    return to
  }

  /** The event; undefined when the tag has to be read otherwise. */
  read(reader: JsonReader): InlineEvent | undefined {
    const { text, opening } = this
    USUAL_HEAD.lastIndex = opening.text.length
    const tail = text.endsWith(' />') ? ' />' : '/>'
    if (!text.endsWith(`}'${tail}`) || !USUAL_HEAD.test(text)) return undefined
    const from = opening.text.length + TYPE_AT
    const to = text.indexOf('"', from)
    const json = text.slice(to + DATA_AT, -1 - tail.length)
    // If the text is JSON, a walk through its braces ends at the same place.
    const data = reader.read(json, { dialect: 'literal', members: colonsIn(json) })
    if (typeof data === 'string') return undefined
    return { type: text.slice(from, to), data: decodeQuotes(data, json) }
  }
}

function earliestEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === GREATER || code === LESS || code === NEWLINE) break
  }
  return at
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
