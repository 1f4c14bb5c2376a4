import { DurableStreamTestServer } from '@durable-streams/server'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { defineApp, defineDomain, open } from 'throughline'
import type { NewEvent } from 'throughline/log'
import { serve } from 'throughline/server'
import { openLog } from 'throughline/log'
import { z } from 'zod'

/** A server that answers a POST of an event once the event is as safe as it makes it. */
export interface AppendServer {
  readonly port: number
  readonly path: string
}

/** Our log behind as little of HTTP as there can be: without a check of permissions. */
export async function ourHttp(folder: string): Promise<AppendServer> {
  const log = await openLog(`sqlite:${join(folder, 'log.db')}`)
  return listen(async (request, response) => {
    // What the writers of this benchmark send.
    const event = JSON.parse(await bodyOf(request)) as NewEvent
    const [record] = await log.append('t', [event])
    response.end(JSON.stringify({ seq: record?.seq }))
  })
}

/** A click as a page sends it: through the routes, a role, the gate and the log. */
export async function ourClick(folder: string): Promise<AppendServer> {
  const { event, domain } = defineDomain<{ readonly count: number }>()
  const notes = domain({
    name: 'notes',
    initial: { count: 0 },
    events: {
      noted: event({
        schema: z.object({ text: z.string() }),
        by: [{ source: 'ui', surface: 'customer' }],
        reduce: ({ count }) => ({ count: count + 1 }),
      }),
    },
  })
  const app = defineApp({
    name: 'notes',
    domain: notes,
    roles: { customer: { read: 'all', propose: 'all', begin: true } },
  })
  const tl = await open({ store: `sqlite:${join(folder, 'click.db')}`, apps: [app] })
  const { url } = await serve(tl, { port: 0, authenticate: () => ({ role: 'customer' }) })
  return { port: Number(new URL(url).port), path: '/api/threads/t/events' }
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
