import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { IncomingMessage } from 'node:http'

/** How long the rest of a body that was refused is read, so that its sender sees the answer. */
export const REFUSED_BODY_MAX_MS = 5_000
/** How long its sender may send nothing: then there is nothing left to read. */
export const REFUSED_BODY_SILENCE_MAX_MS = 500
/** Bytes of it that are read. */
export const REFUSED_BODY_BYTES_MAX = 67_108_864

/**
 * Sends an answer whole, and reads the rest of the request's body before it closes the connection: a
 * connection that is closed with unread bytes is reset, and the answer may be lost with it.
 */
export async function answerThenDrain(context: Context, answer: Response): Promise<Response> {
  const { incoming, ownServer }: Partial<HttpBindings & { ownServer: boolean }> = context.env ?? {}
  if (!incoming || ownServer !== true || incoming.readableEnded) return answer
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const headers = new Headers(answer.headers)
  headers.set('content-length', String(bytes.byteLength))
  headers.set('connection', 'close')
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes)
      await drained(incoming)
      controller.close()
    },
  })
  return new Response(body, { status: answer.status, headers })
}

function drained(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, REFUSED_BODY_MAX_MS)
  const silence = setTimeout(resolve, REFUSED_BODY_SILENCE_MAX_MS)
  let bytes = 0
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    silence.refresh()
    if (bytes > REFUSED_BODY_BYTES_MAX) resolve()
  })
  for (const end of ['end', 'close', 'error']) incoming.once(end, () => resolve())
  incoming.resume()
  return promise.finally(() => {
    clearTimeout(timer)
    clearTimeout(silence)
  })
}
