import { broken } from './client-error.ts'
import { FRAME_CHARS_MAX } from './frames.ts'

/**
 * The frames of one event stream that comes over several connections: each whole frame once, as its text.
 *
 * A server resumes after the last id that it sent. Frames without an id that followed it come again, so as
 * many as the reader has are dropped.
 */
export class ResumedFrames {
  #decoder = new TextDecoder()
  #text = ''
  lastId: string | undefined
  /** The log that a thread's stream is of. Such a stream has no end and sends heartbeats. */
  epoch: string | undefined
  /** The data of the last frame that the reader has been given. */
  lastData: string | undefined
  #hasComments = false
  /** Frames without an id that the reader has been given since the last id. */
  #sinceId = 0
  /** How many of them come again on this connection. */
  #repeated = 0
  readonly #onRetry: (delayMs: number) => void

  constructor(onRetry: (delayMs: number) => void) {
    this.#onRetry = onRetry
  }

  /** A stream that can be resumed, and on which something comes while nothing happens. */
  get hasHeartbeats(): boolean {
    return this.#hasComments && this.lastId !== undefined
  }

  reconnect(): void {
    this.#decoder = new TextDecoder()
    this.#text = ''
    this.#repeated = this.#sinceId
  }

  /** @throws {@link ClientError} `protocol` */
  take(bytes: Uint8Array): string {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    const frames = this.#text.replaceAll('\r\n', '\n').split('\n\n')
    this.#text = frames.pop() ?? ''
    if (this.#text.length > FRAME_CHARS_MAX) {
      throw broken(`a frame exceeds ${FRAME_CHARS_MAX} characters`)
    }
    return frames.map((frame) => (this.#isNew(frame) ? `${frame}\n\n` : '')).join('')
  }

  /** The bytes after the last whole frame. */
  rest(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  #isNew(frame: string): boolean {
    const fields = fieldsOf(frame)
    if (frame.startsWith(':')) this.#hasComments = true
    this.lastData = fields['data'] ?? this.lastData
    return this.#isNews(fields)
  }

  #isNews({ event, id, data, retry }: Fields): boolean {
    if (retry !== undefined) this.#onRetry(Number(retry))
    if (event === 'hello') return this.#greet(data)
    if (event === 'reset') this.#move(/"head":(-?\d+)/.exec(data ?? '')?.[1])
    if (id !== undefined) this.#move(id)
    if (event !== undefined || id !== undefined) return true
    // A pause is meant for the code that resumes the stream, a comment for all readers.
    if (data === undefined) return retry === undefined
    if (this.#repeated > 0) {
      this.#repeated--
      return false
    }
    this.#sinceId++
    return true
  }

  /** The same log is greeted again on each connection. */
  #greet(data: string | undefined): boolean {
    const before = this.epoch
    this.epoch = /"epoch":"([^"]*)"/.exec(data ?? '')?.[1]
    return this.epoch !== before
  }

  #move(id: string | undefined): void {
    this.lastId = id
    this.#sinceId = 0
    this.#repeated = 0
  }
}

type Fields = Readonly<Record<string, string | undefined>>

function fieldsOf(frame: string): Fields {
  return Object.fromEntries(
    frame.split('\n').map((line) => {
      const [, name = '', value] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      return [name, value]
    }),
  )
}
