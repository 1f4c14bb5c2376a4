import { expect, onTestFinished, test } from 'vitest'
import { serve } from './index.ts'
import type { Authenticate } from './index.ts'
import { closing, open, quiet, report } from './mounted-routes.fixture.ts'

const asking = {
  threadId: 'new',
  runId: 'r',
  messages: [{ id: 'm', role: 'user', content: 'Pay' }],
}

test.each([
  ['begins a thread with an event', '/api/threads/new/events', report, 200],
  ['begins a thread with a run', '/api/threads/new/runs', { agent: 'payer', input: 'Pay' }, 202],
  ['uses a thread', '/api/threads/t/events', report, 200],
  ['may not begin a thread', '/api/threads/new/events', closing, 404],
  ['runs an agent over AG-UI', '/agui/payer', asking, 200],
])('a request that %s is authenticated once', async (...[, path, body, status]) => {
  const throughline = await open()
  await throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
  const threads: (string | undefined)[] = []
  const authenticate: Authenticate = (_request, thread) => {
    threads.push(thread)
    if (thread === undefined) return undefined
    return { role: body === closing ? 'auditor' : 'responder' }
  }
  const server = await serve(throughline, { port: 0, authenticate, ...quiet })
  onTestFinished(() => server.close())
  const answer = await fetch(server.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(status)
  expect(threads).toEqual([path.startsWith('/agui') ? asking.threadId : path.split('/')[3]])
})
