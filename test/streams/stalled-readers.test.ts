import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { recordsFace } from '../../src/faces/index.ts'
import type { View } from 'throughline'
import { EventStreams, SocketSink } from '../../src/server/index.ts'
import { expect, onTestFinished, test } from 'vitest'
import { timesInTier } from '../tier.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'

const STALLED = timesInTier({ quick: 5, full: 25 })
const HEALTHY = 3
/** More for each reader than the kernel takes off the server's hands. */
const EVENTS = 250
const TEXT = 'x'.repeat(40_000)
const STALL_MAX_MS = 1_000
/** What a socket holds before it says that it is full, and one page on top of it. */
const HELD_BYTES_MAX = 65_536 + 65_536

const view: View = {
  key: 'auditor',
  isUnfiltered: false,
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

/** A reader that knows which records it has, and reads only while it is not paused. */
class PacedReader {
  readonly #port: number
  socket: Socket
  seq = -1
  misplaced = 0
  #rest = ''

  constructor(port: number) {
    this.#port = port
    this.socket = this.#connect()
  }

  reconnect(): void {
    this.socket.destroy()
    this.#rest = ''
    this.socket = this.#connect()
  }

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1')
    socket.on('error', () => {}).on('data', (bytes) => this.#take(String(bytes)))
    socket.write(`GET /?after=${this.seq} HTTP/1.0\r\n\r\n`)
    return socket
  }

  /** As a parser would: a frame counts once its empty line is there. */
  #take(text: string): void {
    const frames = (this.#rest + text).split('\n\n')
    this.#rest = frames.pop() ?? ''
    for (const frame of frames) {
      const id = /^id: (\d+)$/m.exec(frame)?.[1]
      if (id === undefined) continue
      if (Number(id) !== this.seq + 1) this.misplaced++
      this.seq = Number(id)
    }
  }
}

async function serveThread() {
  const log = memoryLog()
  const failed = (error: unknown): void => {
    throw error
  }
  const streams = new EventStreams(log, { stallMaxMs: STALL_MAX_MS, failed })
  const sockets = new Set<Socket>()
  const server = createServer((asked, response) => {
    const after = Number(new URL(asked.url ?? '', 'http://host').searchParams.get('after'))
    const until = new AbortController().signal
    void streams.open(new SocketSink(response), { ...shown, after, until })
  }).listen(0, '127.0.0.1')
  server.on('connection', (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
  })
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return { log, sockets, open: () => new PacedReader(port) }
}

test('[E4] for readers that stall next to nothing is held; they are dropped, and miss nothing on return', async ({
  annotate,
}) => {
  const { log, sockets, open } = await serveThread()
  const healthy = Array.from({ length: HEALTHY }, open)
  const stalled = Array.from({ length: STALLED }, open)
  await expect.poll(() => sockets.size).toBe(HEALTHY + STALLED)
  for (const { socket } of stalled) socket.pause()
  let held = 0
  for (let n = 0; n < EVENTS; n++) {
    await log.append('t', [{ type: 'noted', data: TEXT }])
    await new Promise((resolve) => setImmediate(resolve))
    held = Math.max(held, ...Array.from(sockets, ({ writableLength }) => writableLength))
  }
  const wait = { timeout: 10_000 }
  await expect.poll(() => sockets.size, wait).toBe(HEALTHY)
  await expect
    .poll(() => healthy.map(({ seq }) => seq), wait)
    .toEqual(healthy.map(() => EVENTS - 1))

  const cutAt = stalled.map(({ seq }) => seq)
  for (const reader of stalled) reader.reconnect()
  await expect
    .poll(() => stalled.map(({ seq }) => seq), wait)
    .toEqual(stalled.map(() => EVENTS - 1))
  const misplaced = [...healthy, ...stalled].reduce((sum, reader) => sum + reader.misplaced, 0)
  await annotate(
    `${STALLED} readers stalled before ${((EVENTS * TEXT.length) / 1e6).toFixed(0)} MB each: at ` +
      `most ${(held / 1_024).toFixed(0)} KB held for one, all dropped, ${misplaced} records misplaced`,
    'promise',
  )
  expect(Math.max(...cutAt)).toBeLessThan(EVENTS - 1)
  expect(held).toBeLessThan(HELD_BYTES_MAX)
  expect(misplaced).toBe(0)
})
