import { isForeign } from '../thread/index.ts'
import type { GateProposal } from '../gate/index.ts'
import type { ForeignTags } from '../thread/index.ts'
import { AgentStreamParser } from '../inline/index.ts'
import type { Origin } from '../log/index.ts'

export interface ProseParts {
  readonly text: 'tags' | 'verbatim'
  readonly foreignTags: ForeignTags
  readonly origin: Origin
  readonly id: () => string
}

const ECHOED = {
  refused: 'echoed',
  detail: 'text from outside the model holds this tag, or hides one',
} as const

const QUOTED = 'a tag in a code span or a code block is text; write it as plain text to propose it'

/** A model's text on its way to people: the shown text and the inline events. */
export class Prose {
  #raw = ''
  readonly #found: { readonly at: number; readonly proposal: GateProposal }[] = []
  #searchFrom = 0
  readonly #parts: ProseParts
  readonly #parser: AgentStreamParser | undefined

  constructor(parts: ProseParts) {
    this.#parts = parts
    this.#parser = parts.text === 'tags' ? new AgentStreamParser() : undefined
  }

  /** The text as the model gave it, where it is not on record as it was shown. */
  get raw(): { readonly text?: string } {
    return this.#parser ? { text: this.#raw } : {}
  }

  /** In the order of the text, which the parser's two lists do not keep between them. */
  get proposals(): readonly GateProposal[] {
    return this.#found.toSorted((one, other) => one.at - other.at).map(({ proposal }) => proposal)
  }

  /** Takes more text and returns the part that can be shown. */
  feed(delta: string): string {
    if (!this.#parser) return delta
    this.#raw += delta
    return this.#take(this.#parser.feed(delta))
  }

  end(): string {
    return this.#parser ? this.#take(this.#parser.flush()) : ''
  }

  #take(parsed: ReturnType<AgentStreamParser['feed']>): string {
    const { origin, id, foreignTags } = this.#parts
    for (const [index, event] of parsed.events.entries()) {
      const raw = parsed.raw[index] ?? ''
      const refused = isForeign(foreignTags, event) ? { refused: ECHOED } : {}
      const at = this.#raw.indexOf(raw, this.#searchFrom)
      this.#searchFrom = at + raw.length
      this.#found.push({ at, proposal: { ...event, id: id(), origin, raw, ...refused } })
    }
    for (const { reason, raw, type = '', length, offset } of parsed.dropped) {
      const detail =
        reason === 'quoted' ? QUOTED : `a tag of ${length} characters could not be read`
      const refused = { refused: reason, detail }
      this.#found.push({
        at: offset,
        proposal: { id: id(), type, data: null, origin, raw, refused },
      })
    }
    return parsed.displayText
  }
}
