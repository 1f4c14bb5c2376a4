import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { framesIn, post, serveAgui } from './agui-server.fixture.ts'
import { ResponseSink } from './streams/event-stream-response.ts'
import { STREAMS_MAX } from './streams/event-stream.ts'
import { threadStreams } from './event-streams.fixture.ts'
import { aguiFace, turnStream } from '../faces/index.ts'
import { routes } from './index.ts'

const sinkOf = () => new ResponseSink(new Request('http://host/'))

test(`[E3] ${STREAMS_MAX} streams at most are open, those of runs among them`, async () => {
  const { log, viewOf, streams, serveQuery } = threadStreams()
  const run = () =>
    streams.open(sinkOf(), {
      thread: 't',
      view: viewOf('auditor'),
      face: aguiFace(undefined),
      reading: turnStream({ log, turn: 'none', protocol: '1.0', onLoss: () => {} }),
      after: -1,
      until: new AbortController().signal,
    })
  await run()
  const sinks = Array.from({ length: STREAMS_MAX - 1 }, sinkOf)
  await Promise.all(sinks.map((sink) => serveQuery(sink, new URLSearchParams())))
  const full = { code: 'too_many_streams', status: 503 }
  await expect(run()).rejects.toMatchObject(full)
  await expect(serveQuery(sinkOf(), new URLSearchParams())).rejects.toMatchObject(full)
  sinks[0]?.end()
  await expect.poll(() => streams.size).toBe(STREAMS_MAX - 1)
  await run()
  streams.close()
  await expect.poll(() => streams.size).toBe(0)
})

test('closing the routes ends the streams of runs, whose runs go on', async () => {
  const { throughline, gate, log } = await serveAgui()
  const mounted = routes(throughline, { operatorToken: 'o'.repeat(32) })
  const threadId = randomUUID()
  const messages = [{ id: randomUUID(), role: 'user', content: 'tell' }]
  const response = await mounted.fetch(
    new Request('http://127.0.0.1/agui/teller', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${'o'.repeat(32)}` },
      body: JSON.stringify({ threadId, runId: 'r', protocolVersion: '1.0', messages }),
    }),
  )
  await vi.waitFor(async () => expect(await log.head(threadId)).toBeGreaterThan(4))
  mounted.close()
  const types = framesIn(await response.text()).map(({ event }) => event.type)
  expect(types).not.toContain('RUN_FINISHED')
  gate.open()
  await vi.waitFor(async () => expect((await throughline.log.head(threadId)) > 8).toBe(true))
})

test('a request with Last-Event-ID and other messages gets the thread’s, one with the same goes on byte for byte', async () => {
  const { url } = await serveAgui()
  const ids = { threadId: randomUUID(), protocolVersion: '1.0' }
  const said = (content: string) => ({ id: randomUUID(), role: 'user', content }) as const
  const [first, second] = [said('hello'), said('again')]
  await post(`${url}/agui/clerk`, { ...ids, runId: randomUUID(), messages: [first] })
  const asked = { ...ids, runId: randomUUID(), messages: [first, second] }
  const whole = await post(`${url}/agui/clerk`, asked)
  for (const [at, { id = '' }] of whole.frames.slice(0, -1).entries()) {
    const after = { 'last-event-id': id }
    const same = await post(`${url}/agui/clerk`, asked, after)
    expect(same.frames).toEqual(whole.frames.slice(at + 1))
    const other = await post(`${url}/agui/clerk`, { ...asked, messages: [second] }, after)
    const types = other.frames.map(({ event }) => event.type)
    expect(types).toContain('MESSAGES_SNAPSHOT')
    expect(types.at(-1)).toBe('RUN_FINISHED')
  }
})

test('[E2] a client that joins after a frame that no prelude has is refused before the stream begins', async () => {
  const { url } = await serveAgui()
  const ids = { threadId: randomUUID(), protocolVersion: '1.0', runId: randomUUID() }
  const messages = [{ id: randomUUID(), role: 'user', content: 'hello' } as const]
  await post(`${url}/agui/clerk`, { ...ids, messages })
  const connect = `${url}/agui/clerk/connect`
  const { frames } = await post(connect, ids)
  const last = frames.at(-1)?.id ?? ''
  expect(await post(connect, ids, { 'last-event-id': last })).toMatchObject({ status: 200 })
  const { status, text } = await post(connect, ids, { 'last-event-id': `${last}9` })
  expect([status, text]).toEqual([400, expect.stringContaining('invalid_cursor')])
})
