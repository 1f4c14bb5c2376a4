import { createParser } from 'eventsource-parser'
import type { EventSourceMessage } from 'eventsource-parser'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { lamp } from '../domain/lamp.fixture.ts'
import { Gate } from '../gate/index.ts'
import { MemoryLog } from '../log/index.ts'
import { threadFace } from './application.ts'
import { EventStreams } from './event-stream.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const id: () => string = randomUUID

async function serveStreams(stallMaxMs: number) {
  const log = new MemoryLog({ hash: sha256, now: () => 1, id })
  const gate = new Gate({ log, domain: lamp, now: () => 1, id, sha256 })
  const face = threadFace(gate, { state: (state) => ({ ...state }), record: (record) => record })
  const streams = new EventStreams(log, stallMaxMs)
  let ended = 0
  const server = createServer((_, response) => {
    const asked = { thread: 't', face, role: 'auditor', after: -1 } as const
    void streams.serve(response, asked).finally(() => ended++)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const [response] = (await once(request({ port }).end(), 'response')) as [IncomingMessage]
    return response
  }
  const close = () => (server.close(), server.closeAllConnections())
  return { log, streams, open, close, ended: () => ended }
}

const big = { type: 'big', data: 'x'.repeat(200_000) }

test('[E4] a reader that stalls is dropped; one that reads is not, and misses nothing', async () => {
  const { log, open, close, ended } = await serveStreams(100)
  const stalled = await open()
  stalled.pause()
  const healthy = await open()
  let text = ''
  healthy.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
  for (let n = 0; n < 100; n++) await log.append('t', [big])
  await expect.poll(ended, { timeout: 5_000 }).toBe(1)
  await expect.poll(() => text.match(/^id: /gm)?.length, { timeout: 5_000 }).toBe(100)
  healthy.destroy()
  await expect.poll(ended).toBe(2)
  close()
})

test('[D091] [D006] a reader that leaves is forgotten, also before its stream has begun', async () => {
  const { open, close, ended } = await serveStreams(1_000)
  const reader = await open()
  reader.destroy()
  await expect.poll(ended).toBe(1)
  close()
})

test('closing ends every stream and leaves the log alone', async () => {
  const { log, streams, open, close, ended } = await serveStreams(1_000)
  await open()
  await open()
  streams.close()
  await expect.poll(ended).toBe(2)
  expect(await log.head('t')).toBe(-1)
  close()
})

test('[E5] no text in a record can forge a frame', async () => {
  const { log, open, close } = await serveStreams(1_000)
  const nasty = 'a\n\nid: 7\rdata: x\r\n\r\nevent: reset\u2028\ud800'
  await log.append('t', [{ type: 'nasty', data: { [nasty]: nasty } }])
  const frames: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (frame) => frames.push(frame) })
  const reader = await open()
  reader.setEncoding('utf8').on('data', (chunk) => parser.feed(String(chunk)))
  await expect.poll(() => frames.length).toBe(2)
  expect(frames.map(({ event, id: seq }) => [event, seq])).toEqual([
    ['hello', undefined],
    [undefined, '0'],
  ])
  const { data } = JSON.parse(frames[1]?.data ?? '') as { data: object }
  expect(data).toEqual({ [nasty]: nasty })
  reader.destroy()
  close()
})
