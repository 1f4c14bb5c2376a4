import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { STREAM_HEADERS } from './event-stream-sink.ts'
import type { Chunk, Sink } from './event-stream-sink.ts'
import { ProblemError } from '../problems/problem.ts'

/** Writes past the response, chunk header included, so that one buffer serves every socket. */
export class SocketSink implements Sink {
  readonly #response: ServerResponse
  readonly #socket: Socket
  #coding: keyof Chunk = 'plain'

  /** @throws {@link ProblemError} `too_many_streams` */
  constructor(response: ServerResponse) {
    const { socket } = response
    if (!socket) {
      const detail = 'Cannot open a stream: an answer before it on this connection has not ended'
      throw new ProblemError('too_many_streams', 503, { detail })
    }
    this.#response = response
    this.#socket = socket
  }

  get closed(): boolean {
    return this.#response.destroyed
  }

  onceClosed(callback: () => void): void {
    if (this.#response.closed) callback()
    else this.#response.once('close', callback)
  }

  begin(frames: string): boolean {
    const response = this.#response
    for (const [name, value] of Object.entries(STREAM_HEADERS)) {
      if (!response.hasHeader(name)) response.setHeader(name, value)
    }
    response.writeHead(200)
    this.#coding = response.chunkedEncoding ? 'chunked' : 'plain'
    // Frames go past the response, so it cannot leave out the body of an answer to HEAD.
    const wanted = response.req.method !== 'HEAD'
    if (wanted) response.write(frames)
    else response.end()
    return wanted
  }

  write(chunk: Chunk): boolean {
    return this.#socket.write(chunk[this.#coding])
  }

  onceDrained(callback: () => void): void {
    this.#socket.once('drain', callback)
  }

  flush(chunk: Chunk): Promise<unknown> | undefined {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#socket.write(chunk[this.#coding], resolve)
    return this.#socket.writableLength === 0 ? undefined : promise
  }

  finish(): void {
    this.#response.end()
  }

  end(): void {
    // A response that has not begun says nothing, or its request would pass for answered.
    if (this.#response.headersSent) this.#response.end()
    this.#response.destroy()
  }
}
