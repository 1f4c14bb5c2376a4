/// <reference types="node" />
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { subscribe } from './index.ts'

const servers = new Set<Server>()

afterEach(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  servers.clear()
})

async function listen(server: Server, port = 0): Promise<number> {
  servers.add(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // A TCP server's address is an object, only a pipe's is a string.
  return (server.address() as AddressInfo).port
}

const eventsAt = (port: number): string => `http://127.0.0.1:${port}/api/threads/t1/events`

/** A thread in memory that speaks the wire; every third record is hidden. */
class Thread {
  readonly #frames: string[] = []
  readonly #readers = new Set<ServerResponse>()

  append(text: string): void {
    const seq = this.#frames.length
    const data = JSON.stringify({ seq, type: 'noted', data: text })
    const frame = seq % 3 === 2 ? `id: ${seq}\n\n` : `id: ${seq}\ndata: ${data}\n\n`
    this.#frames.push(frame)
    for (const reader of this.#readers) reader.write(frame)
  }

  readonly serve = (request: IncomingMessage, response: ServerResponse): void => {
    const after = Number(new URL(request.url ?? '', 'http://t').searchParams.get('after'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const head = this.#frames.length - 1
    const opening = `event: hello\ndata: {"epoch":"e1","head":${head}}\n\nretry: 3\n\n`
    response.write(opening + this.#frames.slice(after + 1).join(''))
    this.#readers.add(response)
    response.on('close', () => this.#readers.delete(response))
  }
}

test('[E6] a reader outlives a restart: refused connections, then 503, then the stream', async () => {
  const thread = new Thread()
  thread.append('before')
  const first = createServer(thread.serve)
  const port = await listen(first)
  const updates = subscribe({ url: eventsAt(port), sleep: () => pause(5) })
  const seen: string[] = []
  for await (const update of updates) {
    if (update.type === 'status') seen.push(update.status)
    if (update.type === 'record') seen.push(`record ${update.record.seq}`)
    if (seen.at(-1) === 'record 0') restart(first, port, thread)
    if (seen.at(-1) === 'record 1') break
  }
  expect(seen.slice(0, 4)).toEqual(['connecting', 'live', 'record 0', 'reconnecting'])
  expect(seen.slice(-2)).toEqual(['live', 'record 1'])
})

function restart(first: Server, port: number, thread: Thread): void {
  first.close()
  first.closeAllConnections()
  servers.delete(first)
  thread.append('while away')
  let busy = 3
  const second = createServer((request, response) => {
    if (busy-- > 0) response.writeHead(503, { 'retry-after': '0' }).end()
    else thread.serve(request, response)
  })
  setTimeout(() => void listen(second, port), 30)
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs))
}

test('a connection that says nothing is given up, one with heartbeats is kept', async () => {
  let connections = 0
  const server = createServer((_request, response) => {
    connections++
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 1\n\nevent: hello\ndata: {"epoch":"e1","head":-1}\n\n')
    if (connections === 1) return
    const beat = setInterval(() => response.write(': beat\n\n'), 15)
    response.on('close', () => clearInterval(beat))
    setTimeout(() => response.write('id: 0\ndata: {"seq":0,"type":"noted"}\n\n'), 1_500)
  })
  const url = eventsAt(await listen(server))
  const seen: string[] = []
  for await (const update of subscribe({ url, silenceMaxMs: 500 })) {
    if ('error' in update) seen.push(update.error.code)
    if (update.type === 'record') break
  }
  expect(seen).toEqual(['timeout'])
  expect(connections).toBe(2)
})

test('a server that takes a request and never answers is given up', async () => {
  const [taken, given] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const server = createServer((_request, response) => {
    taken()
    response.on('close', given)
  })
  const url = eventsAt(await listen(server))
  for await (const update of subscribe({ url, silenceMaxMs: 50 })) {
    // On a busy machine the first ones are given up before the server has heard of them.
    const isTaken = taken.mock.calls.length > 0
    if (isTaken && 'error' in update && update.error.code === 'timeout') break
  }
  await expect.poll(() => given).toHaveBeenCalled()
})

test('a dead connection is noticed even after garbage was collected', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: hello\ndata: {"epoch":"e1","head":-1}\n\n')
  })
  const url = eventsAt(await listen(server))
  const garbage = setInterval(collectGarbage, 10)
  for await (const update of subscribe({ url, silenceMaxMs: 100 })) {
    if ('error' in update && update.error.code === 'timeout') break
  }
  clearInterval(garbage)
})

test('return() ends a subscription that waits, at once, and closes the connection', async () => {
  const closed = vi.fn<() => void>()
  const server = createServer((request, response) => {
    new Thread().serve(request, response)
    response.on('close', closed)
  })
  const updates = subscribe({ url: eventsAt(await listen(server)) })
  await updates.next()
  await updates.next()
  const waiting = updates.next()
  await updates.return?.()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(await updates.next()).toEqual({ done: true, value: undefined })
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
})

test('[E4] a reader that takes its time stops the server, and still gets everything', async () => {
  const RECORDS = 2000
  const sent = { records: 0 }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: hello\ndata: {"epoch":"e1","head":${RECORDS - 1}}\n\n`)
    const push = (): void => {
      while (sent.records < RECORDS) {
        const seq = sent.records++
        const data = JSON.stringify({ seq, type: 'noted', data: 'x'.repeat(20_000) })
        if (!response.write(`id: ${seq}\ndata: ${data}\n\n`))
          return void response.once('drain', push)
      }
    }
    push()
  })
  const seqs: number[] = []
  for await (const update of subscribe({ url: eventsAt(await listen(server)) })) {
    if (update.type !== 'record') continue
    seqs.push(update.record.seq)
    if (seqs.length === 1) {
      await pause(300)
      // 40 MB in all; kernel buffers on loopback hide a few.
      expect(sent.records).toBeLessThan(RECORDS / 2)
    }
    if (seqs.length === RECORDS) break
  }
  expect(seqs).toEqual(Array.from({ length: RECORDS }, (_, seq) => seq))
})

test('an unknown thread is refused with what the server said', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' })
    response.end(
      JSON.stringify({ title: 'Not found', detail: 'No such thread', code: 'not_found' }),
    )
  })
  const seen: unknown[] = []
  for await (const update of subscribe({ url: eventsAt(await listen(server)) })) {
    if (update.type === 'status' && update.status === 'refused') seen.push(update.error.problem)
  }
  const about = { type: 'about:blank', status: 404 }
  const said = { title: 'Not found', detail: 'No such thread', code: 'not_found' }
  expect(seen).toEqual([{ ...about, ...said }])
})
