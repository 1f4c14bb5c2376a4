import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Reply =
  | { readonly say: string }
  | { readonly call: string; readonly input: unknown }
  /** Says this and then nothing more. */
  | { readonly hang: string }

interface Request {
  readonly model?: string
  readonly messages?: readonly unknown[]
}

/**
 * A server on loopback that speaks Chat Completions to whatever a program sends: `reply` gets the newest message
 * of a request as JSON.
 */
export async function chatServer(reply: (asked: string) => Reply) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (request.method !== 'POST') return void response.writeHead(404).end()
    // Sent by the program under test.
    const { messages = [], model = '' } = JSON.parse(body) as Request
    const given = reply(JSON.stringify(messages.at(-1) ?? null))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, finish_reason: string | null = null, more: object = {}) => {
      const choices = [{ index: 0, delta, finish_reason }]
      const chunk = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model, choices }
      response.write(`data: ${JSON.stringify({ ...chunk, ...more })}\n\n`)
    }
    const usage = { prompt_tokens: 11, completion_tokens: 6, total_tokens: 17 }
    if ('hang' in given) return send({ role: 'assistant', content: given.hang })
    if ('call' in given) {
      const called = { name: given.call, arguments: JSON.stringify(given.input) }
      send({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: called }] })
      send({}, 'tool_calls', { usage })
    } else {
      send({ role: 'assistant', content: given.say })
      send({}, 'stop', { usage })
    }
    response.end('data: [DONE]\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
