import { isBlank } from './characters.ts'

/** Longer runs of blanks at the start of a line are shown at once: nothing grows without bound. */
export const LINE_BLANKS_MAX = 256

const NEWLINE = 10

/**
 * Collects what a person sees. A line that holds nothing but blanks and taken-out text vanishes with
 * its newline, so the blanks at the start of a line wait until the kind of the line is known.
 */
export class Prose {
  #shown = ''
  #blanks = ''
  #line: 'blank' | 'taken' | 'visible' = 'blank'

  get isVisible(): boolean {
    return this.#line === 'visible'
  }

  /** Adds `text[from, to)`, which holds no tag. */
  add(text: string, from: number, to: number): void {
    const start = this.#line === 'taken' ? this.#endTakenLine(text, from, to) : from
    let tail = to
    while (tail > start && isBlank(text.charCodeAt(tail - 1))) tail--
    if (tail > start && text.charCodeAt(tail - 1) === NEWLINE) {
      this.#show(text.slice(start, tail))
      this.#line = 'blank'
      this.#hold(text.slice(tail, to))
    } else if (tail === start && this.#line !== 'visible') {
      this.#hold(text.slice(start, to))
    } else {
      this.#show(text.slice(start, to))
      this.#line = 'visible'
    }
  }

  /** Notes that text was taken out here. */
  takeOut(): void {
    if (this.#line === 'blank') this.#line = 'taken'
  }

  /** The text is over: its last line is complete without a newline. */
  end(): void {
    if (this.#line === 'blank') this.#show('')
    this.#blanks = ''
    this.#line = 'blank'
  }

  /** Hands over what may be shown since the last call. */
  read(): string {
    const shown = this.#shown
    this.#shown = ''
    return shown
  }

  #endTakenLine(text: string, from: number, to: number): number {
    let at = from
    while (at < to && isBlank(text.charCodeAt(at))) at++
    const held = this.#blanks.length + at - from
    if (at === to || text.charCodeAt(at) !== NEWLINE || held > LINE_BLANKS_MAX) return from
    this.#blanks = ''
    this.#line = 'blank'
    return at + 1
  }

  #show(text: string): void {
    this.#shown += this.#blanks + text
    this.#blanks = ''
  }

  #hold(blanks: string): void {
    this.#blanks += blanks
    if (this.#blanks.length <= LINE_BLANKS_MAX) return
    this.#show('')
    this.#line = 'visible'
  }
}
