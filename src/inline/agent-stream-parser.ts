import type { Dropped } from './held.ts'
import { JsonReader } from './json-dialects.ts'
import { Opener } from './opener.ts'
import { Prose } from './prose.ts'
import { Tag } from './tag.ts'
import type { InlineEvent } from './tag.ts'
import { UsualTag } from './usual-tag.ts'

/** What a piece of text brought. `raw[i]` is the tag that `events[i]` was read from. */
export interface InlineResult {
  readonly displayText: string
  readonly events: readonly InlineEvent[]
  readonly raw: readonly string[]
  readonly dropped: readonly Dropped[]
}

/** Below this length looking at each character is quicker than `indexOf`. */
const SHORT = 24
const NEWLINE = 10
const LESS = 60
/** A text that ends in this much of an opener was cut off inside a tag. */
const CUT_OPENER_MIN = '<agent'.length
const NONE: readonly never[] = Object.freeze([])
const NOTHING: InlineResult = Object.freeze({
  displayText: '',
  events: NONE,
  raw: NONE,
  dropped: NONE,
})

/**
 * Separates prose from the events that an agent writes into it, as the text arrives.
 *
 * However the text is split into chunks, the prose and the events are the same, and no part of a tag
 * is shown. A tag that cannot be read gives no event and is reported in `dropped`. Takes time in
 * proportion to the text, whatever it says.
 *
 * @example
 * const parser = new AgentStreamParser()
 * parser.feed('Done. <agent-event type="ligh')
 * parser.feed(`t" data='{"on":true}' />`).events // [{ type: 'light', data: { on: true } }]
 */
export class AgentStreamParser {
  readonly #prose = new Prose()
  readonly #reader = new JsonReader()
  readonly #opener = new Opener()
  /** A text with one malformed tag often has more: no part is read twice for each of them. */
  #isUsual = true
  /** A tag that may still be as nearly all are; any other becomes `#tag`. */
  #usual: UsualTag | undefined
  #tag: Tag | undefined
  /** Nothing is held and the line is visible: a chunk of plain prose only has to be passed on. */
  #isPassing = false
  /** Length of all chunks before the current one. */
  #offset = 0
  #events: InlineEvent[] = []
  #raw: string[] = []
  #dropped: Dropped[] = []

  feed(chunk: string): InlineResult {
    if (this.#isPassing && isPlain(chunk)) {
      this.#offset += chunk.length
      return { displayText: chunk, events: NONE, raw: NONE, dropped: NONE }
    }
    let at = 0
    while (at < chunk.length) {
      if (this.#usual) at = this.#gather(this.#usual, chunk, at)
      else at = this.#tag ? this.#readTag(this.#tag, chunk, at) : this.#readText(chunk, at)
    }
    this.#offset += chunk.length
    return this.#take()
  }

  /** Ends the text; afterwards the parser can read another one. */
  flush(): InlineResult {
    if (this.#opener.length >= CUT_OPENER_MIN) this.#startTag(this.#offset - this.#opener.length)
    if (this.#usual) this.#readOtherwise(this.#usual)
    if (this.#tag) this.#finish(this.#tag)
    this.#show(this.#opener.text, 0, this.#opener.length)
    this.#opener.reset()
    this.#prose.end()
    this.#offset = 0
    this.#isUsual = true
    return this.#take()
  }

  #readText(chunk: string, from: number): number {
    const opener = this.#opener
    const carried = opener.length
    let start = carried > 0 ? from - carried : nextLess(chunk, from)
    for (let at = opener.leap(chunk, Math.max(from, start)); at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      if (opener.accepts(code)) continue
      if (opener.endsBefore(code)) {
        this.#show(chunk, from, start)
        this.#startTag(this.#offset + start)
        return at
      }
      if (start < from) this.#prose.add(opener.text, 0, carried)
      opener.reset()
      start = nextLess(chunk, at)
      at = opener.leap(chunk, start) - 1
    }
    this.#show(chunk, from, start)
    return chunk.length
  }

  #gather(tag: UsualTag, chunk: string, from: number): number {
    const at = tag.gather(chunk, from)
    if (!tag.isGathered) return at
    const event = tag.read(this.#reader)
    if (!event) {
      this.#readOtherwise(tag)
      return at
    }
    this.#usual = undefined
    this.#prose.takeOut()
    this.#events.push(event)
    this.#raw.push(tag.text)
    return at
  }

  #readOtherwise(usual: UsualTag): void {
    this.#usual = undefined
    this.#isUsual = false
    this.#tag = new Tag(usual.opener, usual.offset)
    this.#readTag(this.#tag, usual.text, usual.opener.text.length)
  }

  #readTag(tag: Tag, chunk: string, from: number): number {
    const at = tag.read(chunk, from)
    if (tag.ended) {
      this.#finish(tag)
      this.#tag = tag.successor()
    }
    return at
  }

  #startTag(offset: number): void {
    if (this.#isUsual) this.#usual = new UsualTag(this.#opener, offset)
    else this.#tag = new Tag(this.#opener, offset)
    this.#opener.reset()
  }

  #finish(tag: Tag): void {
    this.#tag = undefined
    this.#prose.takeOut()
    if (tag.closing) return
    const end = tag.conclude(this.#reader)
    if ('event' in end) {
      this.#events.push(end.event)
      this.#raw.push(end.raw)
    } else {
      this.#dropped.push(end)
    }
  }

  #show(text: string, from: number, to: number): void {
    if (to > from) this.#prose.add(text, from, to)
  }

  #take(): InlineResult {
    this.#isPassing =
      !this.#tag && !this.#usual && this.#opener.length === 0 && this.#prose.isVisible
    const displayText = this.#prose.read()
    const events = this.#events
    const raw = this.#raw
    const dropped = this.#dropped
    if (events.length + dropped.length === 0) {
      if (displayText === '') return NOTHING
      return { displayText, events: NONE, raw: NONE, dropped: NONE }
    }
    this.#events = []
    this.#raw = []
    this.#dropped = []
    return { displayText, events, raw, dropped }
  }
}

/** Whether nothing in a text could begin a tag or end a line. */
function isPlain(text: string): boolean {
  if (text.length > SHORT) return !text.includes('<') && !text.includes('\n')
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LESS || code === NEWLINE) return false
  }
  return true
}

function nextLess(text: string, from: number): number {
  if (text.length - from > SHORT) {
    const found = text.indexOf('<', from)
    return found >= 0 ? found : text.length
  }
  let at = from
  while (at < text.length && text.charCodeAt(at) !== LESS) at++
  return at
}

/** Separates a complete text; the shown part is trimmed. */
export function stripEventTags(text: string) {
  const parser = new AgentStreamParser()
  const fed = parser.feed(text)
  const end = parser.flush()
  return {
    display: (fed.displayText + end.displayText).trim(),
    events: fed.events,
    raw: fed.raw,
    dropped: [...fed.dropped, ...end.dropped],
  }
}
