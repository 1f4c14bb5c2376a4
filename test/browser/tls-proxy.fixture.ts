import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { newFolder } from '../folders.fixture.ts'

/** Why tests over TLS cannot run here, if they cannot: nothing makes a certificate. */
export const noOpenssl = spawnSync('openssl', ['version']).status !== 0

/** A proxy that ends TLS like nginx by default: the target gets its own `Host`. */
export async function startTlsProxy() {
  let target = ''
  const server = createServer(certificate(), (request, response) => {
    forward(target, request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}`,
    forwardTo: (url: string) => void (target = url),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function forward(target: string, request: IncomingMessage, response: ServerResponse): void {
  const client = request.socket.remoteAddress ?? ''
  const sent = httpRequest(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { ...request.headers, host: new URL(target).host, 'x-forwarded-for': client },
  })
  request.pipe(sent)
  response.once('close', () => sent.destroy())
  sent.once('error', () => response.destroy())
  sent.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    response.flushHeaders()
    answer.pipe(response)
  })
}

function certificate() {
  const folder = newFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost']
  execFileSync('openssl', ['req', ...made, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}
