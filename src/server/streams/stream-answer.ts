import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { ResponseSink } from './event-stream-response.ts'
import { STREAM_HEADERS } from './event-stream-sink.ts'
import type { Sink } from './event-stream-sink.ts'
import { SocketSink } from './event-stream-socket.ts'

/** The bindings of a request that our own server received. */
export interface OwnServerBindings extends HttpBindings {
  /** Nothing stands between a stream and node's response: no headers, no coding, no HTTP/2. */
  readonly ownServer?: true
}

/**
 * Answers past node's response on our own server. A program that mounts the routes gets a `Response`: it
 * may add headers, compress, or speak HTTP/2.
 */
export async function answerStream(
  context: Context<{ Bindings: OwnServerBindings }>,
  open: (sink: Sink) => Promise<void>,
): Promise<Response> {
  // A plain call of `fetch` gives no bindings.
  const { outgoing, ownServer }: Partial<OwnServerBindings> = context.env ?? {}
  if (outgoing && ownServer) {
    await open(new SocketSink(outgoing))
    // A copy is of the platform: the adaptor would send one of its own class a second time.
    return RESPONSE_ALREADY_SENT.clone()
  }
  const sink = new ResponseSink(context.req.raw)
  try {
    await open(sink)
  } catch (error) {
    sink.end()
    throw error
  }
  // Hono adds the headers that the program has set so far.
  return context.newResponse(sink.response.body, 200, STREAM_HEADERS)
}
