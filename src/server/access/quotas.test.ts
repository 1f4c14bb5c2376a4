import { expect, test } from 'vitest'
import { Quotas } from './quotas.ts'
import type { RoutesOptions } from '../index.ts'
import { byHeader, mounted, report } from '../mounted-routes.fixture.ts'

const ann = { role: 'responder', id: 'ann' }

test('a token proposes so often within ten seconds and no more; others go on, and so does it later', () => {
  const quotas = new Quotas({ proposalsPerMinute: 60 })
  for (let count = 0; count < 10; count++) quotas.takeProposal(ann, 1_000 + count)
  expect(() => quotas.takeProposal(ann, 2_000)).toThrow('this token has sent 10 requests')
  quotas.takeProposal({ role: 'responder', id: 'bob' }, 2_000)
  quotas.takeProposal({ role: 'operator' }, 2_000)
  quotas.takeProposal(ann, 11_000)
})

test('a caller that floods a thread with events gets 429, and nothing is recorded', async () => {
  const { ask, throughline } = await mounted({ authenticate: byHeader, proposalsPerMinute: 12 })
  const send = () => ask('/api/threads/i-1/events', { role: 'responder', actor: 'ann' }, report)
  const answers = [await send(), await send(), await send()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(answers[2]?.body).toMatchObject({ code: 'too_many_proposals' })
  expect(await throughline.log.head('i-1')).toBe(1)
})

test('callers without an actor have quotas in each thread where no address of theirs is known', async () => {
  const { ask } = await mounted({ authenticate: byHeader, proposalsPerMinute: 6 })
  const send = (thread: string) =>
    ask(`/api/threads/${thread}/events`, { role: 'responder' }, report)
  expect((await send('i-1')).status).toBe(200)
  expect((await send('i-1')).status).toBe(429)
  expect((await send('i-2')).status).toBe(200)
})

type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

/** Requests of callers without an actor, from an address, to routes that may stand behind a proxy. */
async function reached(options: RoutesOptions = {}) {
  const { http } = await mounted({
    streamsPerToken: 1,
    proposalsPerMinute: 6,
    ...options,
  })
  const caller = JSON.stringify({ role: 'responder' })
  const send = async (
    ...[remoteAddress, path, { headers: more = {}, ...init }]: readonly [string, string, Sent]
  ) => {
    const headers = { caller, 'content-type': 'application/json', ...more }
    const request = new Request(`http://any.example/api/threads/${path}`, { ...init, headers })
    return (await http.hono.fetch(request, { incoming: { socket: { remoteAddress } } })).status
  }
  return {
    stream: (address: string, thread = 'i-1', headers = {}) =>
      send(address, `${thread}/events`, { headers: { accept: 'text/event-stream', ...headers } }),
    propose: (address: string, thread = 'i-1') =>
      send(address, `${thread}/events`, { method: 'POST', body: JSON.stringify(report) }),
  }
}

test('callers without an actor have the quotas of their address, in all threads together', async () => {
  const { stream, propose } = await reached()
  expect(await propose('203.0.113.1')).toBe(200)
  expect(await propose('203.0.113.1', 'i-2')).toBe(429)
  expect(await propose('203.0.113.2', 'i-2')).toBe(200)
  expect(await stream('203.0.113.1')).toBe(200)
  expect(await stream('203.0.113.1', 'i-2')).toBe(429)
  expect(await stream('203.0.113.2')).toBe(200)
  expect(await stream('2001:db8:0:1::1')).toBe(200)
  expect(await stream('2001:db8:0:1::2')).toBe(429)
})

test('only behind a proxy of ours does a forwarded address count, and only its last entry', async () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const direct = await reached()
  await direct.propose('203.0.113.1')
  expect(await direct.stream('203.0.113.1', 'i-1', from('198.51.100.1'))).toBe(200)
  expect(await direct.stream('203.0.113.1', 'i-1', from('198.51.100.2'))).toBe(429)
  const proxied = await reached({ publicUrl: 'https://incidents.example' })
  await proxied.propose('10.0.0.1')
  expect(await proxied.stream('10.0.0.1', 'i-1', from('198.51.100.1'))).toBe(200)
  expect(await proxied.stream('10.0.0.1', 'i-1', from('198.51.100.2'))).toBe(200)
  expect(await proxied.stream('10.0.0.1', 'i-1', from('203.0.113.9, 198.51.100.2'))).toBe(429)
})
