import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { isLoopback } from 'throughline/server/extend'
import { parseCommands } from './commands.ts'

/** Bytes of one request to the screen. */
export const SCREEN_BODY_BYTES_MAX = 100_000

export interface ScreenServer {
  readonly port: number
  close(): Promise<void>
}

/**
 * Listens on loopback for what the program draws. Its drawings reach pages by the log; this only answers
 * the program. Rejects where the port is taken.
 */
export async function listenForScreen(port: number): Promise<ScreenServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      // The program has cut its request: nobody waits for the answer.
      response.destroy()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url } = request
  if (isFromPage(request)) return send(response, 403, { ok: false })
  if (method === 'POST' && url === '/cmd') return send(response, 200, await draw(request))
  if (method === 'GET' && url === '/feedback') return send(response, 200, [])
  if (method === 'GET' && url === '/health') return send(response, 200, { ok: true })
  send(response, 404, { ok: false })
}

/** Only programs draw. A page sends an Origin, or the name that its address was rebound to. */
function isFromPage({ headers: { host = '', origin } }: IncomingMessage): boolean {
  return origin !== undefined || !isLoopback(host.replace(/:\d*$/, ''))
}

async function draw(request: IncomingMessage): Promise<unknown> {
  let text = ''
  request.setEncoding('utf8')
  for await (const part of request) {
    text += String(part)
    if (text.length > SCREEN_BODY_BYTES_MAX) return { ok: false, parsed: 0 }
  }
  return { ok: true, parsed: parseCommands(text).length }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
