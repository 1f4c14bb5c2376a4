import { agentEvent } from '../agui/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'

/** How long text may wait for more before it is appended. */
export const COALESCE_MAX_MS = 40
/** How much text may wait for more before it is appended, in characters. */
export const COALESCE_MAX_CHARS = 1_024

export interface TextFlowParts {
  readonly append: (events: readonly NewEvent[]) => Promise<unknown>
  readonly messageId: string
  readonly origin: Origin
}

/**
 * Writes one message to the log while it is being said, a few deltas at a time, trimmed. A message
 * that turns out to be blank leaves no record.
 */
export class TextFlow {
  readonly #parts: TextFlowParts
  #written = ''
  #pending = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #appends: Promise<unknown> = Promise.resolve()
  #failure: { readonly error: unknown } | undefined

  constructor(parts: TextFlowParts) {
    this.#parts = parts
  }

  /** @throws whatever an earlier append failed with */
  push(text: string): void {
    if (this.#failure) throw this.#failure.error
    this.#pending = this.#written || this.#pending ? this.#pending + text : text.trimStart()
    if (this.#pending.length >= COALESCE_MAX_CHARS) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), COALESCE_MAX_MS)
  }

  /** Appends the rest and closes the message; resolves with all of its text once it is durable. */
  async end(): Promise<string> {
    this.#flush()
    const { messageId, origin } = this.#parts
    if (this.#written) this.#append([agentEvent('TEXT_MESSAGE_END', { messageId }, origin)])
    await this.#appends
    if (this.#failure) throw this.#failure.error
    return this.#written
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Blanks at the end wait: they belong to the message only if more text follows.
    const delta = this.#pending.trimEnd()
    if (delta === '') return
    const { messageId, origin } = this.#parts
    const content = agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin)
    this.#append(
      this.#written === ''
        ? [agentEvent('TEXT_MESSAGE_START', { messageId, role: 'assistant' }, origin), content]
        : [content],
    )
    this.#written += delta
    this.#pending = this.#pending.slice(delta.length)
  }

  #append(events: readonly NewEvent[]): void {
    this.#appends = this.#appends
      .then(() => (this.#failure ? undefined : this.#parts.append(events)))
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
  }
}
