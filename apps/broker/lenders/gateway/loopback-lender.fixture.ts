import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface Heard {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answering = (response: ServerResponse, heard: Heard) => void

/** A server on loopback that answers as each test wants, one answer per request, the last for ever. */
export async function loopbackLender(...answers: readonly Answering[]) {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    void hear(request).then((told) => {
      const answer = answers[Math.min(heard.length, answers.length - 1)]
      heard.push(told)
      answer?.(response, told)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, heard }
}

async function hear(request: IncomingMessage): Promise<Heard> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  const { method, url, headers } = request
  return { method, url, headers, body }
}

export function says(body: unknown): Answering {
  return (response) => {
    response.setHeader('content-type', 'application/json')
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

export function fails(status: number, headers: Readonly<Record<string, string>> = {}): Answering {
  return (response) => {
    response.writeHead(status, headers)
    response.end('{"error":"CANARY"}')
  }
}

export const hangs: Answering = () => {}

export const hangsUp: Answering = (response) => response.destroy()

export const stopsHalfway: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"decision":"appr', () => response.destroy())
}

export const dripsForEver: Answering = (response) => {
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}
