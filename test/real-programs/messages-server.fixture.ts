import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

export type Reply =
  | { readonly say: string }
  | { readonly call: string; readonly input: unknown }
  | { readonly hang: true }
  | { readonly status: number }

export interface MessagesServer {
  readonly url: string
  /** The newest two messages of each request, as JSON. */
  readonly asked: readonly string[]
  close(): void
}

interface Request {
  readonly model?: string
  readonly messages?: readonly unknown[]
}

/**
 * A server on loopback that speaks the Messages API's stream to whatever a CLI sends: `reply` gets the newest two
 * messages of a request as JSON.
 */
export async function messagesServer(
  reply: (newest: string) => Reply,
  takesMs = 0,
): Promise<MessagesServer> {
  const asked: string[] = []
  let count = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (!request.url?.startsWith('/v1/messages') || request.method !== 'POST') {
      return void response.writeHead(404).end()
    }
    // Sent by the CLI under test.
    const { messages = [], model = '' } = JSON.parse(body) as Request
    // A message of the CLI's own may follow the person's.
    const newest = JSON.stringify(messages.slice(-2))
    if (request.url.includes('count_tokens')) {
      return void response.end(JSON.stringify({ input_tokens: 10 }))
    }
    asked.push(newest)
    await setTimeout(takesMs)
    give(response, { reply: reply(newest), model, id: `msg_${++count}` })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Giving {
  readonly reply: Reply
  readonly model: string
  readonly id: string
}

function give(response: ServerResponse, { reply, model, id }: Giving): void {
  if ('status' in reply) {
    const error = { type: 'invalid_request_error', message: 'This model is not for you' }
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify({ type: 'error', error }))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const usage = { input_tokens: 12, output_tokens: 1 }
  const message = { id, type: 'message', role: 'assistant', model, content: [], usage }
  send('message_start', { message })
  if ('hang' in reply) return
  const isCall = 'call' in reply
  const block = isCall
    ? { type: 'tool_use', id: `toolu_${id}`, name: reply.call, input: {} }
    : { type: 'text', text: '' }
  send('content_block_start', { index: 0, content_block: block })
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) }
    : { type: 'text_delta', text: reply.say }
  send('content_block_delta', { index: 0, delta })
  send('content_block_stop', { index: 0 })
  const stop_reason = isCall ? 'tool_use' : 'end_turn'
  send('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  })
  send('message_stop', {})
  response.end()
}
