import { inBackground } from '../../platform/index.ts'

/** How often a call tells its client what the agent has said since, and that it still works. */
export const MCP_PROGRESS_MS = 250
export const MCP_SILENCE_MAX_MS = 10_000

type Send = (progress: { readonly progress: number; readonly message?: string }) => Promise<void>

/**
 * Sends the words of a turn as they come, and a sign of life while there are none: a client gives up after
 * 60 seconds by default unless progress resets its clock.
 */
export class McpProgress {
  readonly #send: Send
  readonly #timer: NodeJS.Timeout
  #words = ''
  #sent = 0
  #lastAt = performance.now()

  constructor(send: Send) {
    this.#send = send
    this.#timer = setInterval(() => this.#tick(), MCP_PROGRESS_MS)
  }

  say(words: string): void {
    this.#words += words
  }

  /** Sends the rest. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#words !== '') await this.#flush()
  }

  #tick(): void {
    const isDue = performance.now() - this.#lastAt >= MCP_SILENCE_MAX_MS
    if (this.#words !== '' || isDue) inBackground(this.#flush())
  }

  async #flush(): Promise<void> {
    const message = this.#words
    this.#words = ''
    this.#lastAt = performance.now()
    this.#sent += 1
    // A client that has gone gets no progress; its call ends by its signal.
    await this.#send({ progress: this.#sent, ...(message !== '' && { message }) }).catch(() => {})
  }
}
