import { CodeMarks } from './code-marks.ts'
import type { Dropped } from './held.ts'
import { plainnessOf } from './plain-text.ts'
import { Prose } from './prose.ts'
import type { InlineEvent } from './tag.ts'

/** The result of one piece of text. `raw[i]` is the tag that `events[i]` was read from. */
export interface InlineResult {
  readonly displayText: string
  readonly events: readonly InlineEvent[]
  readonly raw: readonly string[]
  readonly dropped: readonly Dropped[]
}

const NONE: readonly never[] = Object.freeze([])

export function proseOnly(displayText: string): InlineResult {
  return { displayText, events: NONE, raw: NONE, dropped: NONE }
}

/** A tag that could be read, with its place in the whole text. */
export interface ReadTag {
  readonly event: InlineEvent
  readonly raw: string
  readonly offset: number
}

/** Collects the prose of a text, its events, and the tags that gave none. */
export class InlineOutput {
  readonly #prose = new Prose()
  readonly #code = new CodeMarks()
  #events: InlineEvent[] = []
  #raw: string[] = []
  #dropped: Dropped[] = []

  /** Whether more prose without a backtick or a newline only has to be passed on. */
  get isSettled(): boolean {
    return this.#prose.isVisible && this.#code.isSettled
  }

  /** Whether the next text is in a code span or a fence. */
  isInCode(): boolean {
    return this.#code.beginsInCode()
  }

  /** Shows `text[from, to)`. */
  show(text: string, from: number, to: number): void {
    if (to <= from) return
    const shown = text.slice(from, to)
    this.#prose.add(shown, 0, shown.length)
    this.#code.pass(shown)
  }

  /** Whether a text only has to be passed on; called while all is settled. */
  passes(text: string): boolean {
    const plainness = plainnessOf(text)
    if (plainness === 'lines') this.#code.passLines()
    return plainness !== 'other'
  }

  /** Notes that text was taken out here. */
  takeOut(): void {
    this.#prose.takeOut()
    this.#code.passOther()
  }

  /** Takes the end of a tag. */
  settle(end: ReadTag | Dropped, place: 'prose' | 'code'): void {
    if (place === 'code') this.#quote(end)
    else if ('event' in end) this.takeEvent(end.event, end.raw)
    else {
      this.takeOut()
      this.#dropped.push(end)
    }
  }

  /** Takes the event of a tag in prose. */
  takeEvent(event: InlineEvent, raw: string): void {
    this.takeOut()
    // A list that grows from nothing reserves room for many.
    if (this.#events.length > 0) {
      this.#events.push(event)
      this.#raw.push(raw)
    } else {
      this.#events = [event]
      this.#raw = [raw]
    }
  }

  endText(): void {
    this.#prose.end()
    this.#code.reset()
  }

  /** Hands over the finds since the last call. */
  take(): InlineResult {
    const displayText = this.#prose.read()
    const [events, raw, dropped] = [this.#events, this.#raw, this.#dropped]
    if (events.length + dropped.length === 0) return proseOnly(displayText)
    this.#events = []
    this.#raw = []
    this.#dropped = []
    return { displayText, events, raw, dropped }
  }

  /** Shows a tag in code as it is written. */
  #quote(end: ReadTag | Dropped): void {
    const { raw, offset } = end
    if ('event' in end) {
      // Backticks in its data are data.
      this.#prose.add(raw, 0, raw.length)
      this.#code.passOther()
      const { type } = end.event
      this.#dropped.push({ reason: 'quoted', offset, length: raw.length, raw, type })
    } else {
      this.show(raw, 0, raw.length)
      this.#dropped.push({ ...end, reason: 'quoted' })
    }
  }
}
