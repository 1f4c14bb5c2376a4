import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface MessagesRequest {
  readonly model: string
  readonly system: readonly { readonly text: string }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly max_tokens: number
}

/**
 * A server on loopback that speaks the Messages API's stream. It refuses what the real one refuses: a
 * blank text, roles that do not alternate, an end on the assistant.
 */
export async function anthropicServer(reply: (request: MessagesRequest) => string | number) {
  const requests: MessagesRequest[] = []
  const server = createServer((request, response) => {
    void answer(request, response, { reply, requests })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { requests, baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    reply,
    requests,
  }: { reply: (request: MessagesRequest) => string | number; requests: MessagesRequest[] },
): Promise<void> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const body = JSON.parse(text) as MessagesRequest
  requests.push(body)
  const said = faultOf(body) ?? reply(body)
  if (typeof said === 'number') {
    const type = said === 529 ? 'overloaded_error' : 'invalid_request_error'
    response.writeHead(said, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ type: 'error', error: { type, message: type } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of streamOf(body.model, said)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}

function faultOf({ messages }: MessagesRequest): number | undefined {
  const roles = messages.map(({ role }) => role)
  const blank = messages.some(({ content }) => /"text":"\s*"/.test(JSON.stringify(content)))
  const repeats = roles.some((role, index) => role === roles[index - 1])
  return blank || repeats || roles[0] !== 'user' || roles.at(-1) !== 'user' ? 400 : undefined
}

function* streamOf(model: string, text: string) {
  const usage = { input_tokens: 100, output_tokens: 1 }
  const message = { id: 'msg', type: 'message', role: 'assistant', model, content: [], usage }
  yield { type: 'message_start', message }
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
  for (let at = 0; at < text.length; at += 7) {
    const delta = { type: 'text_delta', text: text.slice(at, at + 7) }
    yield { type: 'content_block_delta', index: 0, delta }
  }
  yield { type: 'content_block_stop', index: 0 }
  const delta = { stop_reason: 'end_turn', stop_sequence: null }
  yield { type: 'message_delta', delta, usage: { output_tokens: 42 } }
  yield { type: 'message_stop' }
}
