import { isLetter, isNameCode, isSpace } from './characters.ts'
import type { Opening } from './opener.ts'

/** The longest text from a tag's `<` to the `=` of its first attribute; behind a longer one is prose. */
export const TAG_START_MAX = 256

const SLASH = 47
const EQUALS = 61
const GREATER = 62

type Phase = 'blank' | 'name' | 'named' | 'slash'

/** Reads the text after a tag's name until it is either an attribute or prose. */
export class TagStart {
  readonly opening: Opening
  /** The text read so far, with the opener. */
  text: string
  kind: 'unknown' | 'tag' | 'prose' = 'unknown'
  #phase: Phase = 'blank'
  #length: number

  constructor(opening: Opening) {
    this.opening = opening
    this.text = opening.text
    this.#length = opening.text.length
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
    const ends = this.opening.closing ? this.#phase === 'blank' : this.#phase === 'slash'
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
    if (this.opening.closing || phase === 'slash' || phase === 'named') return undefined
    if (code === SLASH) return phase === 'blank' ? 'slash' : undefined
    const goesOn = phase === 'name' ? isNameCode(code) : isLetter(code)
    return goesOn ? 'name' : undefined
  }
}
