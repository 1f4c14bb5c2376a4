import type { Json } from '../json/index.ts'
import { textOf } from '../json/index.ts'
import type { AttributeValue } from './span-draft.ts'

/** Characters of one text in a span. */
export const SPAN_TEXT_CHARS_MAX = 8_192

/** The words of one run, until a span takes them. */
export class SpanWords {
  #asked = ''
  #said = ''
  #isAsking = false

  begin(data: Json): void {
    this.#isAsking = textOf(data, 'role') === 'user'
  }

  add(data: Json): void {
    const delta = textOf(data, 'delta')
    if (this.#isAsking) this.#asked = joined(this.#asked, delta)
    else this.#said = joined(this.#said, delta)
  }

  /** What the run was asked, as an attribute of its own span. */
  input(): Readonly<Record<string, AttributeValue>> {
    return messages('gen_ai.input.messages', 'user', this.#asked)
  }

  /** What the model has said since the last call, as an attribute of the call's span. */
  output(): Readonly<Record<string, AttributeValue>> {
    const said = this.#said
    this.#said = ''
    return messages('gen_ai.output.messages', 'assistant', said)
  }
}

/** A text that grows, up to the most that a span holds. */
export function joined(text: string, more: string): string {
  return (text + more).slice(0, SPAN_TEXT_CHARS_MAX)
}

function messages(
  name: string,
  role: string,
  content: string,
): Readonly<Record<string, AttributeValue>> {
  if (content === '') return {}
  return { [name]: JSON.stringify([{ role, parts: [{ type: 'text', content }] }]) }
}
