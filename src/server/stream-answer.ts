import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { ResponseSink } from './event-stream-response.ts'
import type { Sink } from './event-stream-sink.ts'
import { SocketSink } from './event-stream-socket.ts'

/** Answers past node's response where there is one, else with a `Response` of the platform. */
export async function answerStream(
  context: Context<{ Bindings: HttpBindings }>,
  open: (sink: Sink) => Promise<void>,
): Promise<Response> {
  // Only node's adaptor has bindings; a plain call of `fetch` gives none.
  const bindings: Partial<HttpBindings> | undefined = context.env
  if (bindings?.outgoing) {
    await open(new SocketSink(bindings.outgoing))
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
  return sink.response
}
