import { textOf } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

/**
 * The last text of a run: its last message with words. Messages that were open at the same time are one text, in
 * the order in which they began to have words.
 */
export class LastText {
  readonly #open = new Set<string>()
  readonly #texts = new Map<string, string>()
  /** The messages whose words are the text. */
  readonly #last = new Set<string>()
  #isOver = true

  get text(): string {
    return Array.from(this.#last, (message) => this.#texts.get(message) ?? '').join('\n\n')
  }

  /** Takes a record of the run; those that are no text are left out. */
  take({ type, data }: Pick<LogRecord, 'type' | 'data'>): void {
    const message = textOf(data, 'messageId')
    if (type === 'TEXT_MESSAGE_START') this.begin(message)
    else if (type === 'TEXT_MESSAGE_CONTENT') this.add(message, textOf(data, 'delta'))
    else if (type === 'TEXT_MESSAGE_END') this.end(message)
    // A model call that failed may have left a message open. A program names its own steps with a slash.
    else if (type === 'STEP_STARTED' && !textOf(data, 'stepName').includes('/')) this.#open.clear()
  }

  begin(message: string): void {
    if (this.#open.size === 0) this.#isOver = true
    this.#open.add(message)
  }

  add(message: string, delta: string): void {
    const text = (this.#texts.get(message) ?? '') + delta
    this.#texts.set(message, text)
    if (this.#last.has(message) || text.trim() === '') return
    if (this.#isOver) this.#forget()
    this.#isOver = false
    this.#texts.set(message, text)
    this.#last.add(message)
  }

  end(message: string): void {
    this.#open.delete(message)
  }

  #forget(): void {
    this.#texts.clear()
    this.#last.clear()
  }
}
