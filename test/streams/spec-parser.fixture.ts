/** What a stream dispatched: a message, or a frame without data, which moves the last event id alone. */
export interface Dispatch {
  readonly event: string
  readonly data: string | undefined
  readonly lastEventId: string
}

/**
 * The event stream interpretation of the HTML standard (9.2.6), line by line and nothing else, so that
 * it reads a stream as every browser does.
 */
export class SpecParser {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #first = true
  #rest = ''
  #data = ''
  #event = ''
  #lastEventIdBuffer: string
  retryMs: number | undefined

  constructor(lastEventId = '') {
    this.#lastEventIdBuffer = lastEventId
  }

  /** A frame that the end of the stream cuts off is never dispatched. */
  feed(bytes: Uint8Array): Dispatch[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true })
    if (this.#first && this.#rest !== '') {
      this.#first = false
      if (this.#rest.startsWith('\uFEFF')) this.#rest = this.#rest.slice(1)
    }
    const dispatched: Dispatch[] = []
    for (let line = this.#line(); line !== undefined; line = this.#line()) {
      if (line === '') dispatched.push(...this.#dispatch())
      else this.#field(line)
    }
    return dispatched
  }

  #line(): string | undefined {
    const end = this.#rest.search(/[\r\n]/)
    if (end === -1) return undefined
    const pair = this.#rest.startsWith('\r\n', end)
    // The second half of a pair may still be on its way.
    if (this.#rest[end] === '\r' && end === this.#rest.length - 1) return undefined
    const line = this.#rest.slice(0, end)
    this.#rest = this.#rest.slice(end + (pair ? 2 : 1))
    return line
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    if (colon === 0) return
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') this.#event = value
    if (name === 'data') this.#data += `${value}\n`
    if (name === 'id' && !value.includes('\0')) this.#lastEventIdBuffer = value
    if (name === 'retry' && /^[0-9]+$/.test(value)) this.retryMs = Number(value)
  }

  #dispatch(): Dispatch[] {
    const data = this.#data === '' ? undefined : this.#data.slice(0, -1)
    const event = this.#event === '' ? 'message' : this.#event
    this.#data = ''
    this.#event = ''
    return [{ event, data, lastEventId: this.#lastEventIdBuffer }]
  }
}
