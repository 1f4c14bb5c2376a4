import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { lamp } from '../domain/lamp.fixture.ts'
import { THREAD_FACES } from '../faces/index.ts'
import type { Face, FaceQuery, View } from '../faces/index.ts'
import { Gate } from '../gate/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { EventStreams } from './streams/event-stream.ts'
import { ResponseSink } from './streams/event-stream-response.ts'
import type { Sink } from './streams/event-stream-sink.ts'
import { SocketSink } from './streams/event-stream-socket.ts'
import { id, memoryLog, sha256 } from '../../test/memory-log.fixture.ts'

/** Asks for nothing that a face reads of a query. */
export const NO_QUERY: FaceQuery = { wholeNumber: () => undefined }

export interface StreamsOptions {
  readonly stallMaxMs?: number
  readonly faces?: readonly Face[]
  readonly afterTurn?: View['afterTurn']
}

/** Streams of the thread "t" of a lamp: an auditor sees everything, a customer no secrets. */
export function threadStreams(options: StreamsOptions = {}) {
  const { stallMaxMs = 5_000, faces = THREAD_FACES, afterTurn } = options
  const log = memoryLog({ now: () => 1 })
  const gate = new Gate({ log, domain: lamp, now: () => 1, id, sha256 })
  const record = vi.fn((given: LogRecord) => withoutSecrets(given))
  const states = vi.fn(async (thread: string, at?: number) => {
    const { seq, state } = await gate.state(thread, at)
    return { seq, state: { ...state } }
  })
  const viewOf = (role: string): View => ({
    key: role,
    isUnfiltered: role === 'auditor',
    isTraced: false,
    record: role === 'customer' ? record : (given) => given,
    state: states,
    follow: async () => ({ state: null, take: () => undefined }),
    ...(afterTurn && { afterTurn }),
  })
  const refused: unknown[] = []
  const failed = (error: unknown): void => void refused.push(error)
  const streams = new EventStreams(log, { stallMaxMs, failed })
  const revoked = new AbortController()
  /** Opens what the query asks for; every test names a role, or none. */
  const serveQuery = (sink: Sink, query: URLSearchParams): Promise<void> => {
    const [byDefault] = faces
    const face = faces.find(({ name }) => name === query.get('view')) ?? byDefault
    if (!face) throw new Error('no face is served')
    const asked = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined)
    const epoch = query.get('epoch')
    return streams.open(sink, {
      thread: 't',
      view: viewOf(query.get('role') ?? 'auditor'),
      face,
      reading: face.reading({ wholeNumber: asked }),
      after: asked('after') ?? -1,
      until: revoked.signal,
      ...(epoch === null ? {} : { epoch }),
    })
  }
  return { log, gate, record, states, viewOf, streams, serveQuery, revoked, refused, failed }
}

export type ServedStreams = ReturnType<typeof threadStreams>

export function withoutSecrets(record: LogRecord): LogRecord | undefined {
  return record.type === 'secret' ? undefined : { ...record, prev: '', hash: '' }
}

/** Counts the subscriptions of a log that have not ended. */
export function countFollowed(log: EventLog): () => number {
  let followed = 0
  const subscribe = log.subscribe.bind(log)
  log.subscribe = (...given) => {
    const subscription = subscribe(...given)
    const stop = subscription.return?.bind(subscription)
    followed++
    subscription.return = () => {
      followed--
      return stop ? stop() : Promise.resolve({ done: true, value: undefined })
    }
    return subscription
  }
  return () => followed
}

/** Serves them past node's responses. */
export async function listen({ serveQuery, failed }: ServedStreams) {
  let ended = 0
  const server = createServer((asked, response) => {
    response.once('close', () => ended++)
    const { searchParams } = new URL(asked.url ?? '', 'http://host')
    const open = async () => serveQuery(new SocketSink(response), searchParams)
    open().catch((error: unknown) => {
      failed(error)
      response.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = (): void => server.close().closeAllConnections()
  onTestFinished(close)
  return { port, close, ended: () => ended }
}

export interface Asked {
  readonly method?: string
  readonly signal?: AbortSignal
}

export type Ask = (query: string, asked?: Asked) => Promise<Response>

/** One for each way in which a stream is answered. */
export const ANSWERS: readonly {
  readonly name: string
  readonly serve: (streams: ServedStreams) => Promise<Ask>
}[] = [
  {
    name: 'a socket of node',
    async serve(streams) {
      const { port } = await listen(streams)
      return (query, asked) => fetch(`http://127.0.0.1:${port}/?${query}`, asked)
    },
  },
  {
    name: 'a fetch Response',
    async serve({ serveQuery }) {
      return async (query, asked) => {
        const sink = new ResponseSink(new Request('http://host/', asked))
        await serveQuery(sink, new URLSearchParams(query))
        return sink.response
      }
    },
  },
]
