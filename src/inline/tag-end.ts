import { Opener } from './opener.ts'

const NEWLINE = 10
const SLASH = 47
const GREATER = 62

/**
 * Finds where a tag ends that cannot be read: behind a `/>`, before the newline of a line that ends in
 * `>`, or before the next tag's opener.
 */
export class TagEnd {
  found: 'closed' | 'cut' | 'superseded' | undefined
  readonly next = new Opener()
  /** The last character that was not blank. */
  #last: number

  constructor(last: number) {
    this.#last = last
  }

  /** Looks through `text[from, to)`; returns where the tag ends, or `to`. */
  seek(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      if (this.next.endsBefore(code)) this.found = 'superseded'
      else if (code === NEWLINE && this.#last === GREATER) this.found = 'cut'
      else if (code === GREATER && this.#last === SLASH) this.found = 'closed'
      if (this.found) return this.found === 'closed' ? at + 1 : at
      this.next.follow(code)
      if (!isSpace(code)) this.#last = code
    }
    return to
  }
}

export function isSpace(code: number): boolean {
  return code === 32 || code === NEWLINE || code === 9 || code === 13
}
