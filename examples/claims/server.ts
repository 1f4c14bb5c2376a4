import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { open } from 'throughline'
import { routes } from 'throughline/server'
import { app } from './claims.ts'

const { STORE = 'sqlite:claims.db', PORT = '8080' } = process.env
const people = new Map([
  ['ann', { role: 'holder', actor: 'ann', context: { policies: ['P-100'] } }],
  ['bob', { role: 'holder', actor: 'bob', context: { policies: ['P-200'] } }],
  ['harry', { role: 'handler', actor: 'harry' }],
  ['eve', { role: 'auditor', actor: 'eve' }],
])
const authenticate = ({ headers }: Request, thread?: string) => {
  const person = people.get(/session=(\w+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '')
  const isForeign = thread?.startsWith(`claim-${person?.actor}-`) === false
  if (person?.role === 'holder' && isForeign) return { forbidden: 'This is not your claim' }
  return person
}
const tl = await open({ store: STORE, apps: [app] })
const hono = new Hono().route('/', routes(tl, { authenticate }).hono)
hono.get('/login/:name', (context) => {
  setCookie(context, 'session', context.req.param('name'), { httpOnly: true, sameSite: 'Strict' })
  return context.redirect('/')
})
hono.use('/*', serveStatic({ root: './dist' }))
serve({ fetch: hono.fetch, port: Number(PORT) }, ({ port }) => console.log(`ready on ${port}`))
