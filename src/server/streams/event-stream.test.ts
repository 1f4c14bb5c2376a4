import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { chance, newSeed } from '../../../test/chance.fixture.ts'
import { timesInTier } from '../../../test/tier.fixture.ts'
import type { LogRecord } from '../../log/index.ts'
import { callerFace } from '../../faces/index.ts'
import {
  NO_QUERY,
  countFollowed,
  listen,
  threadStreams,
  withoutSecrets,
} from '../event-streams.fixture.ts'
import type { Sink } from './event-stream-sink.ts'
import { STREAMS_MAX } from './event-stream.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

async function serveStreams(stallMaxMs: number) {
  const streams = threadStreams({ stallMaxMs })
  const { port, close, ended } = await listen(streams)
  const open = async (query = '') => {
    const asked = request({ port, path: `/?${query}`, agent: false }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    // A stream that the server cuts off ends with an error.
    return response.on('error', () => {})
  }
  return { ...streams, port, open, close, ended }
}

/** Returns the received frames of a stream, without its opening and its heartbeats. */
function framesOf(stream: IncomingMessage): () => string {
  const text = textOf(stream)
  return () => text().replaceAll(/^:\n\n/gm, '')
}

/** Returns the received text of a stream, without its opening. */
function textOf(stream: IncomingMessage): () => string {
  let text = ''
  stream
    .on('error', () => {})
    .setEncoding('utf8')
    .on('data', (chunk) => (text += String(chunk)))
  return () => text.slice(text.indexOf('\n\n') + 2)
}

const big = { type: 'big', data: 'x'.repeat(200_000) }

test('[E4] a reader that stalls is dropped; one that reads is not, and misses nothing', async () => {
  const { log, open, close, ended } = await serveStreams(500)
  const stalled = await open()
  stalled.pause()
  const healthy = await open()
  const seen: string[] = []
  createInterface({ input: healthy })
    .on('error', () => {})
    .on('line', (line) => line.startsWith('id: ') && seen.push(line))
  for (let n = 0; n < 100; n++) await log.append('t', [big])
  await expect.poll(ended, { timeout: 5_000 }).toBe(1)
  await expect.poll(() => seen, { timeout: 10_000 }).toHaveLength(100)
  healthy.destroy()
  await expect.poll(ended).toBe(2)
  close()
})

test('[E8] a stream ends when its permission is revoked, and so does a later one', async () => {
  const { log, open, close, ended, revoked } = await serveStreams(1_000)
  const reader = await open()
  const closed = once(reader.resume(), 'close')
  revoked.abort()
  await closed
  expect(ended()).toBe(1)
  await expect(open()).rejects.toThrow('socket hang up')
  expect(await log.head('t')).toBe(-1)
  close()
})

test('[E11] a role sees its view of each record, caught up or live; the operator sees the stored records', async () => {
  const { log, open } = await serveStreams(5_000)
  const events = (from: number) =>
    [0, 1, 2].map((n) => ({ type: n === 1 ? 'secret' : 'open', data: { n: from + n } }))
  await log.append('t', events(0))
  const customer = framesOf(await open('role=customer'))
  const auditor = framesOf(await open())
  await expect
    .poll(() => [customer(), auditor()].map((text) => text.match(/^id/gm)?.length))
    .toEqual([3, 3])
  await log.append('t', events(3))
  const all = await recordsOf(log)
  const shown = (view: (record: LogRecord) => LogRecord | undefined) =>
    all.map((record) => frame(record.seq, view(record))).join('')
  await expect.poll(auditor).toBe(shown((record) => record))
  await expect.poll(customer).toBe(shown(withoutSecrets))
})

test('[T4] what readers see alike is encoded once for all of them, and a tick is one write', async () => {
  const { log, record, open } = await serveStreams(5_000)
  const streams = await Promise.all(Array.from({ length: 20 }, () => open('role=customer')))
  const pieces = streams.map((stream) => {
    const seen: string[] = []
    stream.setEncoding('utf8').on('data', (chunk) => seen.push(String(chunk)))
    return seen
  })
  await expect.poll(() => pieces.every(([opening]) => opening)).toBe(true)
  await log.append('t', [{ type: 'first', data: 0 }])
  await expect.poll(() => pieces.every(({ length }) => length === 2)).toBe(true)
  record.mockClear()
  await Promise.all(Array.from({ length: 16 }, (_, n) => log.append('t', [{ type: 'n', data: n }])))
  await expect
    .poll(() => pieces.map((seen) => seen.at(-1)?.match(/^id: /gm)?.length))
    .toEqual(pieces.map(() => 16))
  expect(pieces.map(({ length }) => length)).toEqual(pieces.map(() => 3))
  expect(record).toHaveBeenCalledTimes(16)
})

test('[E1] readers that come late, leave their sockets full and read on miss nothing and see nothing twice', async () => {
  const random = chance(newSeed())
  const { log, open } = await serveStreams(60_000)
  const text = 'x'.repeat(30_000)
  const readers: { stream: IncomingMessage; last: number; misplaced: number }[] = []
  const join = async (after: number): Promise<void> => {
    const stream = await open(`after=${after}&role=${random() < 0.5 ? 'auditor' : 'operator'}`)
    const reader = { stream, last: after, misplaced: 0 }
    readers.push(reader)
    const lines = createInterface({ input: stream }).on('error', () => {})
    lines.on('line', (line) => {
      if (!line.startsWith('id: ')) return
      if (Number(line.slice(4)) !== ++reader.last) reader.misplaced++
    })
  }
  for (let n = 0; n < 300; n++) {
    if (n % 50 === 0) await join(Math.floor(random() * ((await log.head('t')) + 2)) - 1)
    const burst = Array.from({ length: Math.ceil(random() * 3) }, () => ({ type: 'n', data: text }))
    await log.append('t', burst)
    const { stream } = readers[Math.floor(random() * readers.length)] ?? {}
    const chosen = random()
    if (chosen < 0.05) stream?.pause()
    else if (chosen < 0.1) stream?.resume()
    if (random() < 0.7) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const { stream } of readers) stream.resume()
  const head = await log.head('t')
  await expect
    .poll(() => readers.map(({ last }) => last), { timeout: 15_000 })
    .toEqual(readers.map(() => head))
  expect(readers.map(({ misplaced }) => misplaced)).toEqual(readers.map(() => 0))
})

test('a reader of the caller view that fell behind goes on where it was', async () => {
  const { log, viewOf, open } = await serveStreams(60_000)
  const origin = { source: 'model', agent: 'clerk', depth: 0, run: 'r' } as const
  await log.append('t', [{ type: 'RUN_STARTED', data: {}, origin }])
  const [slow, quick] = [
    await open('role=operator&view=agent'),
    await open('role=operator&view=agent'),
  ]
  const seen = [framesOf(slow), framesOf(quick)]
  await log.append('t', [{ type: 'STEP_STARTED', data: { stepName: 's' }, origin }])
  await expect
    .poll(() => seen.map((frames) => frames().includes('completion_start')))
    .toEqual([true, true])
  slow.pause()
  for (let n = 0; n < 120; n++) {
    const data = { messageId: 'm', delta: 'x'.repeat(100_000) }
    await log.append('t', [{ type: 'TEXT_MESSAGE_CONTENT', data, origin }])
    await new Promise((resolve) => setImmediate(resolve))
  }
  slow.resume()
  await log.append('t', [{ type: 'RUN_FINISHED', data: {}, origin }])
  const all = await recordsOf(log)
  const whole = callerFace
    .reading(NO_QUERY)
    .writer({ thread: 't', view: viewOf('operator') })
    .framesOf(all)
  for (const frames of seen) {
    await expect.poll(() => frames() === whole, { interval: 250 }).toBe(true)
  }
})

test('[E3] streams that have ended leave no subscription of the log behind', async () => {
  const { log, open, ended } = await serveStreams(5_000)
  const followed = countFollowed(log)
  for (let storm = 1; storm <= 3; storm++) {
    const streams = await Promise.all(Array.from({ length: 30 }, () => open()))
    await expect.poll(followed).toBe(1)
    for (const stream of streams) stream.destroy()
    await expect.poll(ended).toBe(storm * 30)
    expect(followed()).toBe(0)
  }
})

/** The other places are taken by streams that stay. */
const ENDED = timesInTier({ quick: 400, full: STREAMS_MAX })

test(`[E3] ${ENDED} streams that have ended make room for the next`, async () => {
  const { serveQuery, open, ended, refused } = await serveStreams(5_000)
  // Nothing else is asked of it while it stays.
  const staying = {
    onceClosed: () => undefined,
    begin: () => true,
    write: () => true,
  } as unknown as Sink
  for (let held = ENDED; held < STREAMS_MAX; held++)
    await serveQuery(staying, new URLSearchParams())
  const AT_ONCE = 100
  for (let gone = 0; gone < ENDED; gone += AT_ONCE) {
    const streams = await Promise.all(Array.from({ length: AT_ONCE }, () => open()))
    for (const stream of streams) stream.destroy()
  }
  await expect.poll(ended).toBe(ENDED)
  const next = await open()
  expect(refused).toEqual([])
  next.destroy()
})

test('a stream that is asked for while another answer stands before it on the connection is refused', async () => {
  const { port, refused } = await serveStreams(5_000)
  const socket = connect(port, '127.0.0.1')
  const asking = `GET / HTTP/1.1\r\nHost: here\r\n\r\n`
  socket.write(asking + asking)
  await expect.poll(() => refused).toMatchObject([{ code: 'too_many_streams', status: 503 }])
  socket.destroy()
})

function frame(seq: number, visible: LogRecord | undefined): string {
  return `id: ${seq}\n${visible ? `data: ${JSON.stringify(visible)}\n` : ''}\n`
}
