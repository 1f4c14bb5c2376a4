import { assert } from '../../assert/index.ts'
import { STREAM_HEADERS } from './event-stream-sink.ts'
import type { Chunk, Sink } from './event-stream-sink.ts'

/** Bytes that wait in a `Response` whose reader does not take them, and one page on top of them. */
export const RESPONSE_HELD_BYTES_MAX = 65_536

/** Writes into a fetch `Response`, as servers take it that have no sockets to give. */
export class ResponseSink implements Sink {
  readonly response: Response
  /** The platform passes an abort on as long as the request is held: its signal alone does not do. */
  readonly #request: Pick<Request, 'method' | 'signal'>
  readonly #wanted: boolean
  readonly #encoder = new TextEncoder()
  readonly #whenClosed = new Set<() => void>()
  readonly #controller: ReadableStreamDefaultController<Uint8Array>
  #drained: (() => void) | undefined
  #closed = false

  constructor(request: Pick<Request, 'method' | 'signal'>) {
    const { method, signal } = request
    this.#wanted = method !== 'HEAD'
    this.#request = request
    const started: ReadableStreamDefaultController<Uint8Array>[] = []
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          started.push(controller)
        },
        pull: () => this.#drain(),
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: RESPONSE_HELD_BYTES_MAX }),
    )
    const [controller] = started
    assert(controller, 'Cannot make a stream: its constructor has not started it')
    this.#controller = controller
    this.response = new Response(this.#wanted ? body : null, { headers: STREAM_HEADERS })
    signal.addEventListener('abort', this.end)
    if (signal.aborted) this.end()
  }

  get closed(): boolean {
    return this.#closed
  }

  onceClosed(callback: () => void): void {
    if (this.#closed) callback()
    else this.#whenClosed.add(callback)
  }

  begin(frames: string): boolean {
    if (this.#wanted) this.#controller.enqueue(this.#encoder.encode(frames))
    else this.end()
    return this.#wanted
  }

  write({ plain }: Chunk): boolean {
    if (this.#closed) return false
    // A copy: other readers share the chunk, and the runtime may transfer the bytes of a `Response`.
    this.#controller.enqueue(Uint8Array.from(plain))
    return !this.#isFull
  }

  onceDrained(callback: () => void): void {
    this.#drained = callback
  }

  flush(chunk: Chunk): Promise<unknown> | undefined {
    if (this.write(chunk)) return undefined
    return new Promise<void>((resolve) => this.onceDrained(resolve))
  }

  finish(): void {
    if (this.#closed) return
    this.#controller.close()
    this.#close()
  }

  readonly end = (): void => {
    if (this.#closed) return
    // An error lets go of what a reader does not take; what one that reads has not taken yet may arrive.
    if (this.#isFull) this.#controller.error(new Error('Cannot go on: the reader takes nothing'))
    else this.#controller.close()
    this.#close()
  }

  get #isFull(): boolean {
    return (this.#controller.desiredSize ?? 0) <= 0
  }

  #close(): void {
    this.#closed = true
    this.#request.signal.removeEventListener('abort', this.end)
    for (const callback of this.#whenClosed) callback()
    this.#whenClosed.clear()
    this.#drain()
  }

  #drain(): void {
    const drained = this.#drained
    this.#drained = undefined
    drained?.()
  }
}
