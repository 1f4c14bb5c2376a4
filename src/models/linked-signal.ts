/**
 * An abort signal that follows another one until it is released, and ends by itself when its time is up.
 *
 * Does what `AbortSignal.any` and `AbortSignal.timeout` do together, at a fifth of their cost: those leave a
 * timer and weak references behind that cannot be removed.
 */
export class LinkedSignal {
  readonly #controller = new AbortController()
  readonly #within: AbortSignal | undefined
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  /** The number of consecutive looks without a new part. */
  #quietLooks = 0
  /** Called by hand: a listener of the platform's costs a microsecond to add and to remove. */
  readonly #onAbort: (() => void)[] = []

  constructor(within?: AbortSignal, maxMs?: number) {
    this.#within = within
    if (maxMs !== undefined) {
      const why = `it took longer than ${maxMs} ms`
      this.#timer = setTimeout(() => this.abort(timeUp(why)), maxMs)
    }
    if (within?.aborted) this.#follow()
    else within?.addEventListener('abort', this.#follow)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason?: unknown): void {
    if (this.signal.aborted) return
    this.#controller.abort(reason)
    for (const act of this.#onAbort) act()
  }

  onAbort(act: () => void): void {
    this.#onAbort.push(act)
  }

  /**
   * Ends it also once so long has passed without a call of `heard`, at the latest half of that later: one
   * timer for a whole stream costs less than one for each of its parts.
   */
  endAfterSilence(maxMs: number): void {
    const look = (): void => {
      if (++this.#quietLooks === LOOKS) this.abort(timeUp(`it said nothing for ${maxMs} ms`))
      else this.#silence = setTimeout(look, maxMs / LOOKS)
    }
    this.#silence = setTimeout(look, maxMs / LOOKS)
  }

  heard(): void {
    this.#quietLooks = 0
  }

  /** To be called when it is no longer used: the followed signal may live much longer. */
  release(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#within?.removeEventListener('abort', this.#follow)
  }

  readonly #follow = (): void => this.abort(this.#within?.reason)
}

/**
 * Settles as the work does, unless the signal aborts first: then it rejects with the signal's reason and
 * ignores the work's result. Work that has not begun by then does not begin.
 */
export function whileOpen<Value>(limit: LinkedSignal, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    limit.signal.throwIfAborted()
    limit.onAbort(() => reject(limit.signal.reason))
    work().then(resolve, reject)
  })
}

export function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

/** Looks within the longest silence. */
const LOOKS = 2

function timeUp(why: string): DOMException {
  return new DOMException(why, 'TimeoutError')
}
