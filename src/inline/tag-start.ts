import type { Opener } from './opener.ts'
import { isSpace } from './tag-end.ts'

/** The longest text from a tag's `<` to the `=` of its first attribute; behind a longer one is prose. */
export const TAG_START_MAX = 256

const SLASH = 47
const EQUALS = 61
const GREATER = 62
const NAME_START = /[a-z_]/i
const NAME = /[\w:.-]/

type Phase = 'blank' | 'name' | 'named' | 'slash'

/** Reads the text after a tag's name until it is either an attribute or prose. */
export class TagStart {
  readonly offset: number
  readonly opener: Pick<Opener, 'text' | 'closing'>
  /** The text read so far, with the opener. */
  text: string
  kind: 'unknown' | 'tag' | 'prose' = 'unknown'
  #phase: Phase = 'blank'
  #length: number

  constructor({ text, closing }: Pick<Opener, 'text' | 'closing'>, offset: number) {
    this.offset = offset
    this.opener = { text, closing }
    this.text = text
    this.#length = text.length
  }

  /** Reads on from `chunk[from]`; returns where it stopped: before the character that makes it prose. */
  read(chunk: string, from: number): number {
    let at = from
    while (at < chunk.length && this.kind === 'unknown') {
      this.kind = this.#kindWith(chunk.charCodeAt(at))
      if (this.kind !== 'prose') at++
    }
    this.text += chunk.slice(from, at)
    return at
  }

  #kindWith(code: number): TagStart['kind'] {
    const ends = this.opener.closing ? this.#phase === 'blank' : this.#phase === 'slash'
    if (code === GREATER) return ends ? 'tag' : 'prose'
    if (code === EQUALS) return this.#phase === 'name' || this.#phase === 'named' ? 'tag' : 'prose'
    const next = this.#next(code)
    if (next === undefined || ++this.#length > TAG_START_MAX) return 'prose'
    this.#phase = next
    return 'unknown'
  }

  #next(code: number): Phase | undefined {
    const phase = this.#phase
    if (isSpace(code)) return phase === 'name' ? 'named' : phase
    if (this.opener.closing || phase === 'slash' || phase === 'named') return undefined
    if (code === SLASH) return phase === 'blank' ? 'slash' : undefined
    const char = String.fromCharCode(code)
    return (phase === 'name' ? NAME : NAME_START).test(char) ? 'name' : undefined
  }
}
