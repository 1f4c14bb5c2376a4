import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AguiThread, aguiFetch } from './index.ts'

const frame = (id: number | undefined, event: object) =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`
const said = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'RUN_FINISHED é' }
const FINISHED = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

type End = 'ends' | 'is cut' | 'is silent'

/** Gives its next answer to each request, the last one again and again. */
function answering(...answers: readonly (readonly [text: string, then: End])[]) {
  const headers: Headers[] = []
  const send = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    headers.push(new Headers(init?.headers))
    const [text, then] = answers[Math.min(headers.length, answers.length) - 1] ?? ['', 'ends']
    const bytes = new TextEncoder().encode(text)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes),
      pull(controller) {
        if (then === 'ends') return controller.close()
        if (then === 'is cut') return controller.error(new TypeError('terminated'))
        return new Promise<void>((resolve) => {
          init?.signal?.addEventListener('abort', () => {
            controller.error(init.signal?.reason)
            resolve()
          })
        })
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const fetch = aguiFetch({ fetch: send, random: () => 0, silenceMaxMs: 50 })
  const read = async () => (await fetch('/agui/desk', { method: 'POST', body: '{}' })).text()
  return { read, headers }
}

test('[E1] a run whose frames have no ids is never asked for again', async () => {
  const { read, headers } = answering([frame(undefined, said), 'is cut'])
  await expect(read()).rejects.toMatchObject({ name: 'ClientError', code: 'network' })
  expect(headers).toHaveLength(1)
  expect(headers[0]?.get('idempotency-key')).toBeNull()
})

test('a run that never answered is not asked for again', async () => {
  let asked = 0
  const send = async (): Promise<Response> => {
    asked++
    throw new TypeError('fetch failed')
  }
  const fetch = aguiFetch({ fetch: send })
  await expect(fetch('/agui/desk', { method: 'POST', body: '{}' })).rejects.toMatchObject({
    code: 'network',
  })
  expect(asked).toBe(1)
})

test('[E1] a stream that ends before its run did is resumed after its last id', async () => {
  const { read, headers } = answering(
    [frame(1, said) + frame(2, said).slice(0, 30), 'ends'],
    [frame(2, FINISHED), 'ends'],
  )
  await expect(read()).resolves.toBe(frame(1, said) + frame(2, FINISHED))
  expect(headers.map((each) => each.get('last-event-id'))).toEqual([null, '1'])
})

test('a stream that ends early again and again is given up as broken', async () => {
  const { read, headers } = answering([frame(1, said), 'ends'], [': keep-alive\n\n', 'ends'])
  await expect(read()).rejects.toMatchObject({ code: 'network' })
  expect(headers).toHaveLength(4)
})

test('a stream with heartbeats that falls silent is resumed, another may be silent for long', async () => {
  const { read, headers } = answering(
    [`: keep-alive\n\n${frame(1, said)}`, 'is silent'],
    [frame(2, { type: 'RUN_ERROR', message: 'No' }), 'ends'],
  )
  await expect(read()).resolves.toContain('RUN_ERROR')
  expect(headers).toHaveLength(2)
  const quiet = answering([frame(1, said), 'is silent'])
  const outcome = await Promise.race([
    quiet.read(),
    new Promise((resolve) => setTimeout(resolve, 300, 'still waiting')),
  ])
  expect(outcome).toBe('still waiting')
})

test('a run that goes on after a cut, and its stop, go out with renewed headers', async () => {
  const sent: (string | undefined)[] = []
  const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
  const server = createServer((request, response) => {
    sent.push(request.headers.authorization)
    if (request.url?.includes('/stop/')) return void response.end('{"stopped":true}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (sent.length > 1) return void response.end(frame(2, FINISHED))
    response.write(frame(1, started), () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A TCP server's address is an object, only a pipe's is a string.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  let times = 0
  const headers = () => ({ authorization: `Bearer ${times++}` })
  const thread = new AguiThread({ url, threadId: 't', headers })
  await expect(thread.run({ runId: 'r' })).resolves.toMatchObject({ status: 'finished' })
  await thread.stop()
  expect(sent).toEqual(['Bearer 0', 'Bearer 1', 'Bearer 2'])
})
