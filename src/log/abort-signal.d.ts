/**
 * The part of the web's abort signals that a lease needs. Browsers and servers have them alike and they
 * know no clock, but the language's own library does not declare them, and the DOM's declares timers too.
 */
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

interface AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare const AbortController: new () => AbortController
