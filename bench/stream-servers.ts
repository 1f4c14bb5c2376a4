import { createAdaptorServer } from '@hono/node-server'
import { DurableStreamTestServer } from '@durable-streams/server'
import { createChannel, createSession } from 'better-sse'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { SSEStreamingApi } from 'hono/streaming'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { MemoryLog, sha256 } from 'throughline/log'
import type { EventLog } from 'throughline/log'
import { recordsFace } from '../src/faces/index.ts'
import type { View } from 'throughline'
import { EventStreams, SocketSink } from '../src/server/index.ts'
import { uuidv7Source } from '../src/storage/index.ts'

/** A server whose streams all show the same events. */
export interface StreamServer {
  readonly port: number
  /** Shows everything from the first event on. */
  readonly whole: string
  /** Shows later events. */
  readonly live: string
  /** Shows events in one tick of the event loop. */
  publish(count: number): void | Promise<void>
}

/** What a record of ours holds beside the data of an event, as JSON. */
const RECORD_CHARS = 370
const TEXT = 'x'.repeat(40)
/** So that all send as many bytes. */
const PEERS_TEXT = TEXT + 'x'.repeat(RECORD_CHARS)

const STALL_MAX_MS = 600_000
const PUBLISHED_AT_ONCE_MAX = 1_000
/** About 64 KiB of them. */
const PAGE_FRAMES = 150

/** An event has the time when it was made, so that its way can be measured. */
function event(text: string) {
  return { at: String(process.hrtime.bigint()).padStart(16, '0'), text }
}

const newId = uuidv7Source(Date.now)

export function memoryLog(): EventLog {
  return new MemoryLog({ hash: sha256, now: Date.now, id: () => newId() })
}

const view: View = {
  key: 'operator',
  isUnfiltered: true,
  isTraced: false,
  record: (record) => record,
  state: async () => ({ seq: -1, state: null }),
  follow: async () => ({ state: null, take: () => undefined }),
}
const shown = {
  thread: 't',
  view,
  face: recordsFace,
  reading: recordsFace.reading({ wholeNumber: () => undefined }),
}

export async function ours(log: EventLog): Promise<StreamServer> {
  const failed = (error: unknown): void => {
    throw error
  }
  const streams = new EventStreams(log, { stallMaxMs: STALL_MAX_MS, failed })
  const until = new AbortController().signal
  const server = createServer((asked, response) => {
    void log.head('t').then((head) => {
      const after = asked.url === '/live' ? head : -1
      return streams.open(new SocketSink(response), { ...shown, after, until })
    })
  })
  return {
    ...PATHS,
    port: await listen(server),
    async publish(count) {
      for (let left = count; left > 0; left -= PUBLISHED_AT_ONCE_MAX) {
        const now = Array.from({ length: Math.min(left, PUBLISHED_AT_ONCE_MAX) }, () =>
          log.append('t', [{ type: 'noted', data: event(TEXT) }]),
        )
        await Promise.all(now)
      }
    },
  }
}

/** One chunk for everybody, encoded before and written to each socket as it is. */
export async function sharedChunk(): Promise<StreamServer> {
  const sockets: Socket[] = []
  const stored: Buffer[] = []
  const server = createServer((asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    const { socket } = response
    if (!socket) return
    if (asked.url === '/whole') writePages(socket, stored)
    else sockets.push(socket)
  })
  let id = 0
  return {
    ...PATHS,
    port: await listen(server),
    publish(count) {
      const frames = Array.from({ length: count }, () =>
        Buffer.from(`id: ${id++}\ndata: ${JSON.stringify(event(PEERS_TEXT))}\n\n`),
      )
      stored.push(...frames)
      const chunk = chunkOf(frames)
      for (const socket of sockets) socket.write(chunk)
    },
  }
}

/** Frames that are in memory, put together to pages and written as fast as the socket takes them. */
function writePages(socket: Socket, frames: readonly Buffer[], from = 0): void {
  for (let at = from; at < frames.length; at += PAGE_FRAMES) {
    if (socket.write(chunkOf(frames.slice(at, at + PAGE_FRAMES)))) continue
    socket.once('drain', () => writePages(socket, frames, at + PAGE_FRAMES))
    return
  }
}

function chunkOf(frames: readonly Buffer[]): Buffer {
  const bytes = frames.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), ...frames, Buffer.from('\r\n')])
}

export async function betterSse(): Promise<StreamServer> {
  const channel = createChannel()
  const stored: [data: unknown, id: string][] = []
  const server = createServer((asked, response) => void open(asked, response))
  async function open(asked: IncomingMessage, response: ServerResponse) {
    const session = await createSession(asked, response)
    if (asked.url === '/whole') for (const [data, id] of stored) session.push(data, 'message', id)
    channel.register(session)
  }
  return {
    ...PATHS,
    port: await listen(server),
    publish(count) {
      for (let n = 0; n < count; n++) {
        const eventId = String(stored.length)
        const data = event(PEERS_TEXT)
        stored.push([data, eventId])
        channel.broadcast(data, 'message', { eventId })
      }
    },
  }
}

export async function hono(): Promise<StreamServer> {
  const streams = new Set<SSEStreamingApi>()
  const stored: { data: string; id: string }[] = []
  const app = new Hono()
  app.get('/:from', (context) =>
    streamSSE(context, async (stream) => {
      await stream.write(':\n\n')
      if (context.req.param('from') === 'whole') {
        for (const message of stored) await stream.writeSSE(message)
      }
      streams.add(stream)
      await new Promise<void>((resolve) =>
        stream.onAbort(() => {
          streams.delete(stream)
          resolve()
        }),
      )
    }),
  )
  return {
    ...PATHS,
    // The adaptor's union covers HTTP/2; without options it makes the plain server of node:http.
    port: await listen(createAdaptorServer({ fetch: app.fetch }) as Server),
    publish(count) {
      for (let n = 0; n < count; n++) {
        const message = { data: JSON.stringify(event(PEERS_TEXT)), id: String(stored.length) }
        stored.push(message)
        for (const stream of streams) void stream.writeSSE(message)
      }
    },
  }
}

export async function durableStreams(): Promise<StreamServer> {
  const server = new DurableStreamTestServer({ port: 0, compression: false })
  const port = Number(new URL(await server.start()).port)
  await server.store.create('/t', { contentType: 'application/json' })
  const encoder = new TextEncoder()
  return {
    port,
    whole: '/t?offset=-1&live=sse',
    live: '/t?offset=now&live=sse',
    publish(count) {
      for (let n = 0; n < count; n++) {
        // In memory it is done at once; only the store of files gives a promise.
        void server.store.append('/t', encoder.encode(JSON.stringify(event(PEERS_TEXT))))
      }
    },
  }
}

const PATHS = { whole: '/whole', live: '/live' }

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address with one.
  return (server.address() as AddressInfo).port
}
