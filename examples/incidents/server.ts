import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { open } from 'throughline'
import { routes } from 'throughline/server'
import { app } from './incidents.ts'

const { PAGER_URL = 'http://127.0.0.1:4000/pages', STORE = 'sqlite:incidents.db' } = process.env
const people = new Map([
  ['ann-secret', { role: 'responder', actor: 'ann' }],
  ['eve-secret', { role: 'auditor', actor: 'eve' }],
])

const tl = await open({ store: STORE, apps: [app(PAGER_URL)] })
const http = routes(tl, {
  authenticate: (request) =>
    people.get(/session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''),
})

const hono = new Hono()
hono.post('/login', async (context) => {
  const { secret } = await context.req.json<{ secret: string }>()
  setCookie(context, 'session', secret, { httpOnly: true, sameSite: 'Strict' })
  return context.json(people.get(secret) ?? null)
})
hono.post('/monitor', async (context) => {
  const monitor = tl.as({ source: 'remote', surface: 'monitor', actor: 'uptime' })
  const { id, what } = await context.req.json<{ id: string; what: string }>()
  const { head } = await monitor.propose(id, [{ type: 'reported', data: { what } }])
  return context.json({ head })
})
hono.get('/inbox', async (context) =>
  people.has(getCookie(context, 'session') ?? '')
    ? context.json(await tl.threads({ app: 'incidents', where: { status: 'open' } }))
    : context.json({ error: 'sign in' }, 401),
)
hono.route('/tl', http.hono)

const server = serve({ fetch: hono.fetch, port: Number(process.env['PORT'] ?? 8080) }, ({ port }) =>
  console.log(`incidents ready http://127.0.0.1:${port}`),
)
process.once('SIGTERM', async () => {
  http.close()
  server.close()
  await tl.close()
})
