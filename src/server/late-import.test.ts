import { createAdaptorServer } from '@hono/node-server'
import { expect, test } from 'vitest'

test('a stream goes on where another Hono server was made before the routes were imported', async () => {
  // From here on, a new `Response` is one of the adaptor's.
  createAdaptorServer({ fetch: () => new Response() })
  const { serve } = await import('./index.ts')
  const { byHeader, open, quiet } = await import('./mounted-routes.fixture.ts')
  const throughline = await open()
  const server = await serve(throughline, { port: 0, authenticate: byHeader, ...quiet })
  const report = (): Promise<unknown> =>
    throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
  await report()
  const answer = await fetch(`${server.url}/api/threads/t/events`, {
    headers: { accept: 'text/event-stream', caller: JSON.stringify({ role: 'auditor' }) },
  })
  const frames = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  for (let chunk = await frames?.read(); chunk?.value; chunk = await frames?.read()) {
    read += chunk.value
    if (read.includes('"seq":1')) break
    if (read.includes('"seq":0')) await report()
  }
  await frames?.cancel()
  await server.close()
  expect(read).toContain('"seq":1')
})
