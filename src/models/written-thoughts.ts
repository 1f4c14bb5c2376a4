import type { ModelPart } from './model-part.ts'

const OPEN = '<think>'
const CLOSE = '</think>'
/** The id of thoughts that came as text; providers name theirs otherwise. */
const ID = 'written'

/**
 * Turns the thoughts that a model writes as `<think>…</think>` at the beginning of its text into
 * reasoning. Unclosed ones are reasoning to their end. The same however the text is split.
 */
export class WrittenThoughts {
  #state: 'beginning' | 'thinking' | 'over' = 'beginning'
  #held = ''

  /** Whether all that follows is passed on as it is. */
  get isOver(): boolean {
    return this.#state === 'over'
  }

  take(part: ModelPart): readonly ModelPart[] {
    if (part.type === 'text') return this.#text(part.delta)
    // A provider may give other thoughts before the text.
    const isBefore = part.type === 'reasoning' || part.type === 'reasoning_end'
    return isBefore && this.#state === 'beginning' ? [part] : [...this.#end(), part]
  }

  #text(delta: string): readonly ModelPart[] {
    if (this.isOver) return [{ type: 'text', delta }]
    this.#held += delta
    const parts: ModelPart[] = []
    // After a thought nothing has been said yet: another one may follow.
    while (this.#begins()) {
      const end = this.#held.indexOf(CLOSE)
      if (end < 0) return [...parts, ...this.#unclosed()]
      parts.push(...thinking(this.#held.slice(0, end)), { type: 'reasoning_end', id: ID })
      this.#held = this.#held.slice(end + CLOSE.length)
      this.#state = 'beginning'
    }
    return OPEN.startsWith(this.#held.trimStart()) ? parts : [...parts, ...this.#end()]
  }

  /** Returns whether the held text is a thought, after removing its opening tag. */
  #begins(): boolean {
    if (this.#state === 'thinking') return true
    const begun = this.#held.trimStart()
    if (!begun.startsWith(OPEN)) return false
    this.#state = 'thinking'
    this.#held = begun.slice(OPEN.length)
    return true
  }

  #unclosed(): readonly ModelPart[] {
    const thought = this.#held.slice(0, this.#held.length - startKept(this.#held))
    this.#held = this.#held.slice(thought.length)
    return thinking(thought)
  }

  /** Emits the held text, as a thought or as speech. */
  #end(): readonly ModelPart[] {
    const [state, held] = [this.#state, this.#held]
    this.#state = 'over'
    this.#held = ''
    if (state === 'thinking') return [...thinking(held), { type: 'reasoning_end', id: ID }]
    return held === '' ? [] : [{ type: 'text', delta: held }]
  }
}

function thinking(delta: string): readonly ModelPart[] {
  return delta === '' ? [] : [{ type: 'reasoning', id: ID, delta }]
}

/** How much of the text's end may be the start of the closing tag. */
function startKept(text: string): number {
  let length = Math.min(text.length, CLOSE.length - 1)
  while (!CLOSE.startsWith(text.slice(text.length - length))) length--
  return length
}
