import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { open } from 'throughline'
import { routes } from 'throughline/server'
import { app } from './incidents.ts'

const {
  PAGER = 'http://127.0.0.1:4000',
  STORE = 'sqlite:incidents.db',
  PORT = '8080',
} = process.env
const sessions = new Map([
  ['ann-secret', { role: 'responder', actor: 'ann' }],
  ['eve-secret', { role: 'auditor', actor: 'eve' }],
])
const authenticate = ({ headers }: Request) =>
  sessions.get(/session=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '')

const tl = await open({ store: STORE, apps: [app(PAGER)] })
const hono = new Hono().route('/tl', routes(tl, { authenticate }).hono)
hono.post('/monitor/:id', async (context) => {
  const monitor = tl.as({ source: 'remote', surface: 'monitor', actor: 'uptime' })
  const data = await context.req.json<{ what: string }>()
  const { head } = await monitor.propose(context.req.param('id'), [{ type: 'reported', data }])
  return context.json({ head })
})
hono.get('/inbox', async (context) => {
  if (!authenticate(context.req.raw)) return context.json({ error: 'Sign in first' }, 401)
  return context.json(await tl.threads({ app: 'incidents', where: { status: 'open' } }))
})
hono.use('/*', serveStatic({ root: './dist' }))
serve({ fetch: hono.fetch, port: Number(PORT) }, ({ port }) => console.log(`ready on ${port}`))
