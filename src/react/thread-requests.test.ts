import { expect, test } from 'vitest'
import { ClientError } from '../client/index.ts'
import { ThreadRequests } from './index.ts'

test('what an earlier page could not send goes under the key that it had', async () => {
  const sent: unknown[] = []
  const error = new ClientError('network', 'Cannot ask the server: it is out of reach')
  const request = { kind: 'ask', agent: 'clerk', input: 'hello' } as const
  const requests = new ThreadRequests({
    url: '/api/threads/t1',
    pending: [{ key: 'k1', request, state: { status: 'failed', error } }],
    fetch: (url, { headers, body }) => {
      sent.push([url, new Headers(headers).get('idempotency-key'), JSON.parse(String(body))])
      return new Response('{"runId":"r1"}')
    },
  })
  expect(await requests.retry('k1')).toEqual({ status: 'accepted', run: 'r1' })
  expect(sent).toEqual([['/api/threads/t1/runs', 'k1', { agent: 'clerk', input: 'hello' }]])
  expect(requests.pending).toMatchObject([{ key: 'k1', state: { status: 'accepted' } }])
})
