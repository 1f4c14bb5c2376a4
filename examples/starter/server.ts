import { ThroughlineError, open } from 'throughline'
import { serve } from 'throughline/server'
import { clerk, orders } from './orders.ts'

const { PORT = '3000', STORE = 'sqlite:orders.db' } = process.env
const tl = await open({ store: STORE, domain: orders, agents: [clerk] }).catch(fail)
const pages = { folder: 'dist', routes: { '/': 'index.html' } }
const server = await serve(tl, { port: Number(PORT), pages }).catch(fail)
console.log(`Open ${server.url}`)

process.once('SIGTERM', () => {
  server
    .close()
    .then(() => tl.close())
    .catch(console.error)
})

function fail(error: unknown): never {
  console.error(String(error))
  // Another process has the store: a supervisor starts this one again.
  process.exit(error instanceof ThroughlineError && error.code === 'locked' ? 75 : 1)
}
