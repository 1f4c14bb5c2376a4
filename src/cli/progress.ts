const SHOWN_EACH_MS = 200
const CELLS = 30

/** A bar on a terminal; elsewhere it shows nothing. */
export class Progress {
  readonly #stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>
  #shownAt = 0

  constructor(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) {
    this.#stream = stream
  }

  /** `part` is from 0 to 1. */
  show(part: number, words: string): void {
    if (!this.#stream.isTTY) return
    const now = performance.now()
    if (part < 1 && now - this.#shownAt < SHOWN_EACH_MS) return
    this.#shownAt = now
    const bar = '█'.repeat(Math.round(part * CELLS)).padEnd(CELLS, '░')
    this.#stream.write(`\r${CLEAR_LINE}${bar} ${Math.round(part * 100)} %  ${words}`)
  }

  /** Clears the bar, so that the next output begins on an empty line. */
  end(): void {
    if (this.#stream.isTTY && this.#shownAt > 0) this.#stream.write(`\r${CLEAR_LINE}`)
  }
}

const CLEAR_LINE = '\u001b[2K'
