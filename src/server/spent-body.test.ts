import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { mounted, report, responder } from './mounted-routes.fixture.ts'

const EVENTS = '/api/threads/t/events'
const sent = {
  method: 'POST',
  body: JSON.stringify(report),
  headers: { caller: JSON.stringify(responder), 'content-type': 'application/json' },
}

test('a body that a parser in front of the routes has used up is refused with what to do', async () => {
  const { http } = await mounted()
  const listener = getRequestListener(http.fetch)
  // Reads the body as `express.json()` does.
  const server = createServer((request, response) => {
    request.resume().on('end', () => void listener(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}${EVENTS}`, sent)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    code: 'invalid_json',
    detail: expect.stringContaining('mount the routes in front of body parsers') as string,
  })

  const request = new Request(`http://any.example${EVENTS}`, sent)
  await request.text()
  expect(await (await http.fetch(request)).json()).toMatchObject({
    detail: expect.stringContaining('mount the routes in front of body parsers') as string,
  })
})

test('a body that Hono keeps after middleware has read it is read again', async () => {
  const { http } = await mounted()
  const site = new Hono()
  site.use(async (context, next) => {
    await context.req.text()
    await next()
  })
  site.route('/', http.hono)
  expect((await site.request(EVENTS, sent)).status).toBe(200)
})
