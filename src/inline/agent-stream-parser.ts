import { InlineOutput, proseOnly } from './inline-output.ts'
import type { InlineResult } from './inline-output.ts'
import { JsonReader } from './json-dialects.ts'
import { Opener } from './opener.ts'
import type { Opening } from './opener.ts'
import { isShortPlain, nextLess } from './plain-text.ts'
import { Tag } from './tag.ts'
import { TagStart } from './tag-start.ts'
import { USUAL_START, UsualTag } from './usual-tag.ts'

/** A text that ends in this much of an opener was cut off inside a tag. */
const CUT_OPENER_MIN = '<agent'.length

/**
 * Separates prose from the events that an agent writes into it, as the text arrives.
 *
 * However the text is split into chunks, the prose and the events are the same, and no part of a tag is
 * shown, unless it is in a Markdown code span or fence: there it is text. A tag that cannot be read, or is
 * in code, gives no event and is reported in `dropped`. Takes time in proportion to the text, whatever it
 * says.
 *
 * @example
 * const parser = new AgentStreamParser()
 * parser.feed('Done. <agent-event type="ligh')
 * parser.feed(`t" data='{"on":true}' />`).events // [{ type: 'light', data: { on: true } }]
 */
export class AgentStreamParser {
  readonly #output = new InlineOutput()
  readonly #reader = new JsonReader()
  readonly #opener = new Opener()
  /** False after one malformed tag: a text often has more, and each would be read twice. */
  #isUsual = true
  /** At most one is set: the start of a possible tag, a tag in the usual form, or any other tag. */
  #start: TagStart | undefined
  #usual: UsualTag | undefined
  #tag: Tag | undefined
  #place: 'prose' | 'code' = 'prose'
  /** Nothing is held and the line is visible: a chunk of plain prose only has to be passed on. */
  #isPassing = false
  /** Length of all chunks before the one that is read; between two calls, of all. */
  #offset = 0

  feed(chunk: string): InlineResult {
    const offset = this.#offset
    this.#offset += chunk.length
    if (this.#isPassing && isShortPlain(chunk)) return proseOnly(chunk)
    return this.#read(offset, chunk)
  }

  /** Ends the text; afterwards the parser can read another one. */
  flush(): InlineResult {
    while (this.#endHeld());
    this.#output.endText()
    this.#offset = 0
    this.#isUsual = true
    return this.#take()
  }

  #read(offset: number, chunk: string): InlineResult {
    if (this.#isPassing && this.#output.passes(chunk)) return proseOnly(chunk)
    if (this.#usual?.takesWhole(chunk)) return proseOnly('')
    this.#readAt(offset, chunk)
    return this.#take()
  }

  /** Reads a text that begins at `offset` of the whole. */
  #readAt(offset: number, text: string): void {
    const outer = this.#offset
    this.#offset = offset
    let at = 0
    while (at < text.length) at = this.#readOn(text, at)
    this.#offset = outer
  }

  #readOn(chunk: string, from: number): number {
    if (this.#usual) return this.#gather(this.#usual, chunk, from)
    if (this.#tag) return this.#readTag(this.#tag, chunk, from)
    return this.#start ? this.#readStart(this.#start, chunk, from) : this.#readText(chunk, from)
  }

  /** Ends one thing that is held back; false when nothing is. */
  #endHeld(): boolean {
    const opener = this.#opener
    if (this.#usual) this.#readOtherwise(this.#usual)
    else if (this.#tag) {
      this.#tag.endText()
      this.#finish(this.#tag)
    } else if (this.#start) {
      this.#showStart(this.#start)
    } else if (opener.length > 0) {
      const isCut = opener.length >= CUT_OPENER_MIN && !opener.isWhole
      if (isCut && !this.#output.isInCode()) {
        this.#startTag(opener.from(this.#offset - opener.length))
      } else this.#output.show(opener.text, 0, opener.length)
      opener.reset()
    } else return false
    return true
  }

  #readText(chunk: string, from: number): number {
    const opener = this.#opener
    const carried = opener.length
    let start = carried > 0 ? from - carried : nextLess(chunk, from)
    for (let at = opener.leap(chunk, Math.max(from, start)); at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      if (opener.accepts(code)) continue
      if (opener.endsBefore(code)) {
        this.#output.show(chunk, from, start)
        this.#begin(this.#offset + start, chunk, at)
        return at
      }
      if (start < from) this.#output.show(opener.text, 0, carried)
      opener.reset()
      start = nextLess(chunk, at)
      at = opener.leap(chunk, start) - 1
    }
    this.#output.show(chunk, from, start)
    return chunk.length
  }

  /** Begins what may be a tag; `chunk[at]` is behind its name. */
  #begin(offset: number, chunk: string, at: number): void {
    const opening = this.#opener.from(offset)
    this.#opener.reset()
    this.#place = this.#output.isInCode() ? 'code' : 'prose'
    if (!opening.closing && chunk.startsWith(USUAL_START, at)) this.#startTag(opening)
    else this.#start = new TagStart(opening)
  }

  #readStart(start: TagStart, chunk: string, from: number): number {
    const at = start.read(chunk, from)
    if (start.kind === 'prose') this.#showStart(start)
    if (start.kind === 'tag') {
      this.#start = undefined
      this.#startTag(start.opening)
      this.#readBehindOpening(start)
    }
    return at
  }

  #showStart({ text }: TagStart): void {
    this.#start = undefined
    this.#output.show(text, 0, text.length)
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
    if (this.#place === 'prose') this.#output.takeEvent(event, tag.text)
    else this.#output.settle({ event, raw: tag.text, offset: tag.opening.offset }, 'code')
    return at
  }

  #readOtherwise(usual: UsualTag): void {
    this.#usual = undefined
    this.#isUsual = false
    this.#tag = new Tag(usual.opening)
    this.#readBehindOpening(usual)
  }

  #readBehindOpening({ opening, text }: Pick<UsualTag, 'opening' | 'text'>): void {
    const length = opening.text.length
    this.#readAt(opening.offset + length, text.slice(length))
  }

  #readTag(tag: Tag, chunk: string, from: number): number {
    const at = tag.read(chunk, from)
    if (tag.ended) this.#finish(tag)
    return at
  }

  #startTag(opening: Opening): void {
    if (this.#isUsual) this.#usual = new UsualTag(opening)
    else this.#tag = new Tag(opening)
  }

  #finish(tag: Tag): void {
    this.#tag = undefined
    const { offset, length } = tag.held
    if (!tag.closing) {
      const end = tag.conclude(this.#reader)
      this.#output.settle('event' in end ? { ...end, offset } : end, this.#place)
    } else if (this.#place === 'code') this.#output.show(tag.held.text, 0, length)
    else this.#output.takeOut()
    this.#readAt(offset + length, tag.rest)
  }

  #take(): InlineResult {
    const holds = Boolean(this.#start ?? this.#usual ?? this.#tag) || this.#opener.length > 0
    this.#isPassing = this.#output.isSettled && !holds
    return this.#output.take()
  }
}

/** Separates a complete text; the shown part is trimmed. */
export function stripEventTags(text: string) {
  const parser = new AgentStreamParser()
  const fed = parser.feed(text)
  const end = parser.flush()
  return {
    display: (fed.displayText + end.displayText).trim(),
    events: [...fed.events, ...end.events],
    raw: [...fed.raw, ...end.raw],
    dropped: [...fed.dropped, ...end.dropped],
  }
}
