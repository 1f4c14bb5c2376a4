import { expect, test } from 'vitest'
import { InvariantError } from '../assert/index.ts'
import type { Fetch } from './index.ts'
import { subscribe } from './index.ts'

const HELLO = 'event: hello\ndata: {"epoch":"e1","head":1}\n\n'
const RECORDS = [0, 1].map((seq) => `id: ${seq}\ndata: {"seq":${seq},"type":"noted"}\n\n`).join('')

/** Opens streams that say this much and stay open, heedless of the signal of their request. */
function opening(text: string) {
  const requests: Headers[] = []
  const fetch: Fetch = (_url, { headers }) => {
    requests.push(new Headers(headers))
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new TextEncoder().encode(text))
    const type = { 'content-type': 'text/event-stream' }
    return new Response(new ReadableStream({ start }), { headers: type })
  }
  return { requests, options: { url: '/events', fetch, sleep: () => Promise.resolve() } }
}

test('nothing is asked of the server before the first reading', async () => {
  const { options, requests } = opening(HELLO)
  await subscribe(options).return?.()
  expect(requests).toEqual([])
})

test('a signal ends a subscription as return() does, and undelivered records with it', async () => {
  const { options } = opening(HELLO + RECORDS)
  const abort = new AbortController()
  const seen: string[] = []
  for await (const update of subscribe({ ...options, signal: abort.signal })) {
    seen.push(update.type)
    if (update.type === 'record') abort.abort()
  }
  expect(seen).toEqual(['status', 'status', 'record'])
  const stillborn = subscribe({ ...options, signal: abort.signal })
  expect(await stillborn.next()).toEqual({ done: true, value: undefined })
})

test('silence ends a connection even if its body is not tied to the request', async () => {
  const { options } = opening(HELLO)
  const seen: string[] = []
  for await (const update of subscribe({ ...options, silenceMaxMs: 10 })) {
    if (update.type === 'status') seen.push(update.status)
    if (seen.length === 4) break
  }
  expect(seen).toEqual(['connecting', 'live', 'reconnecting', 'live'])
})

test('the headers are asked for again for each connection', async () => {
  const { options, requests } = opening(HELLO)
  let token = 0
  const headers = () => ({ authorization: `Bearer ${++token}` })
  for await (const update of subscribe({ ...options, headers, silenceMaxMs: 10 })) {
    if (update.type === 'status' && update.status === 'live' && token === 2) break
  }
  expect(requests.map((request) => request.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2'])
  expect(requests[0]?.get('accept')).toBe('text/event-stream')
})

test('what the caller throws reaches the caller, and ends the subscription', async () => {
  const { options } = opening(HELLO)
  const headers = () => {
    throw new RangeError('no token')
  }
  const updates = subscribe({ ...options, headers })
  await updates.next()
  await expect(updates.next()).rejects.toThrow(RangeError)
  expect(await updates.next()).toEqual({ done: true, value: undefined })
})

test('reading ahead is a bug that is named', async () => {
  const { options } = opening(HELLO)
  const updates = subscribe(options)
  const first = updates.next()
  expect(() => updates.next()).toThrow(InvariantError)
  expect(await first).toMatchObject({ value: { status: 'connecting' } })
  await updates.return?.()
})
