import { DurableStreamTestServer } from '@durable-streams/server'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { NewEvent } from 'throughline/log'
import { openLog } from 'throughline/storage'

/** A server that answers a POST of an event once the event is as safe as it makes it. */
export interface AppendServer {
  readonly port: number
  readonly path: string
}

/** Our log behind as little of HTTP as there can be: who may write what is not asked. */
export async function ourHttp(folder: string): Promise<AppendServer> {
  const log = await openLog(`sqlite:${join(folder, 'log.db')}`)
  return listen(async (request, response) => {
    // What the writers of this benchmark send.
    const event = JSON.parse(await bodyOf(request)) as NewEvent
    const [record] = await log.append('t', [event])
    response.end(JSON.stringify({ seq: record?.seq }))
  })
}

/** Reads the event and keeps nothing. */
export async function bareHttp(): Promise<AppendServer> {
  let seq = 0
  return listen(async (request, response) => {
    JSON.parse(await bodyOf(request))
    response.end(JSON.stringify({ seq: seq++ }))
  })
}

export async function durableStreamsOnDisk(folder: string): Promise<AppendServer> {
  const server = new DurableStreamTestServer({ port: 0, dataDir: folder, compression: false })
  const port = Number(new URL(await server.start()).port)
  await server.store.create('/t', { contentType: 'application/json' })
  return { port, path: '/t' }
}

async function listen(answer: (...given: Parameters<RequestListener>) => Promise<void>) {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address with one.
  return { port: (server.address() as AddressInfo).port, path: '/' }
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => resolve(body))
    request.on('error', reject)
  })
}
