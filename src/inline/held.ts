/** A tag or marker that is longer than this, in UTF-16 units, is dropped. */
export const HELD_MAX = 65_536

export type DropReason = 'malformed' | 'too_large' | 'truncated' | 'limit' | 'quoted'

/**
 * Text that gave no event. A `quoted` tag is in code and is shown; any other is taken out. `offset` and `length` give its place in the
 * whole text; `raw` is its text, at most {@link HELD_MAX} of it; `type` is there if it was read.
 */
export interface Dropped {
  readonly reason: DropReason
  readonly offset: number
  readonly length: number
  readonly raw: string
  readonly type?: string
}

/** Text held back from the prose until its kind is known: bounded, and counted in characters. */
export class Held {
  readonly offset: number
  text: string
  length: number

  constructor(offset: number, text: string) {
    this.offset = offset
    this.text = text
    this.length = text.length
  }

  /** Up to where `text`, from `from` on, still fits in. */
  fits(text: string, from: number): number {
    return Math.min(text.length, from + Math.max(0, HELD_MAX - this.length))
  }

  /** Takes `text[from, to)`; what does not fit is counted and forgotten. */
  add(text: string, from: number, to: number): void {
    this.text += text.slice(from, Math.min(to, this.fits(text, from)))
    this.length += to - from
  }

  /** Gives the last `count` characters back; only possible while all is still held. */
  giveBack(count: number): void {
    this.text = this.text.slice(0, this.text.length - count)
    this.length -= count
  }

  /** A copy, because a slice keeps the whole chunk that it was cut from alive. */
  copy(): string {
    return ` ${this.text}`.slice(1)
  }

  drop(reason: DropReason, raw: string, type: string): Dropped {
    const { offset, length } = this
    return type === '' ? { reason, offset, length, raw } : { reason, offset, length, raw, type }
  }
}
