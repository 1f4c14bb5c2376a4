import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Cursors, EventLog } from '../log/index.ts'
import { OpenWork } from '../agents/index.ts'
import { Access, EXCHANGE_PURPOSES } from './access.ts'
import type { AccessOptions } from './access.ts'
import type { Application } from './application.ts'
import { loggableError } from './loggable-error.ts'
import { mountPages } from './pages.ts'
import type { Pages } from './pages.ts'
import { notFound, problemOf, problemResponse } from './problem.ts'
import { Quotas } from './quotas.ts'
import type { QuotaLimits } from './quotas.ts'
import { readBody } from './request-body.ts'
import { requestGuard } from './request-guard.ts'
import { RunRoutes } from './run-routes.ts'
import { ThreadEntry, ownerOf } from './thread-entry.ts'
import { ThreadRoutes } from './thread-routes.ts'
import { TokenRoutes } from './token-routes.ts'
import { TokenIssuer } from './token-issuer.ts'
import { TOKEN_LENGTH_MAX } from './tokens.ts'

/** How long running turns may take to end once the server is told to stop. */
export const DRAIN_GRACE_MS = 6_000
/** How long open connections may take to end after that. */
const CLOSE_GRACE_MS = 1_000

export interface ServeOptions extends AccessOptions, QuotaLimits {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly log: EventLog
  /** Where it is kept which threads have open work; without them each start looks at all threads. */
  readonly cursors?: Cursors | undefined
  readonly store: string
  readonly version: string
  readonly applications: readonly Application[]
  readonly pages?: Pages
  readonly logger: Logger
}

export interface RunningServer {
  readonly url: string
  /** Drains: takes nothing new, ends what runs and every stream, then closes the listener. */
  close(): Promise<void>
}

/**
 * Serves threads and applications over HTTP. Runs that a crash left open are ended before a request reads
 * their thread; work in the world that is due is taken up after that.
 */
export async function serve(given: ServeOptions): Promise<RunningServer> {
  const serializers = { err: (error: unknown) => loggableError(error) }
  const options = { ...given, logger: given.logger.child({}, { serializers }) }
  const access = new Access(options)
  const work = openWork(options)
  const recovered = (thread: string) => work.recovered(thread)
  const entry = new ThreadEntry({ ...options, access, recovered })
  await work.recover()
  const issuer = new TokenIssuer(options)
  const quotas = new Quotas(options)
  const parts = { ...options, access, entry, issuer, quotas }
  const threads = new ThreadRoutes(parts)
  const app = buildApp(parts, [threads, new RunRoutes(parts), new TokenRoutes(parts)])
  // The adaptor's union covers HTTP/2; without options it makes the plain server of node:http.
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  server.listen(options.port, options.host)
  await once(server, 'listening')
  work.follow()
  for (const application of options.applications) application.start?.()
  const { port } = server.address() as AddressInfo
  const name = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${name}:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      work.stop()
      await Promise.all(options.applications.map((each) => each.drain(DRAIN_GRACE_MS)))
      await work.close()
      threads.streams.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

/** The open work of all applications, each thread's with the one that it belongs to. */
function openWork(options: ServeOptions): OpenWork {
  const { log, cursors, applications, logger } = options
  const owner = (thread: string) => ownerOf(options, thread)
  return new OpenWork({
    log,
    cursors,
    version: [options.version, ...applications.map((each) => each.workVersion)].join(' '),
    now: Date.now,
    recover: async (thread) => (await owner(thread))?.recover(thread),
    dueAt: async (thread) => (await owner(thread))?.dueAt(thread),
    moved: async (thread) => (await owner(thread))?.moved?.(thread),
    takeUp: async (thread, dueAt) => (await owner(thread))?.takeUp?.(thread, dueAt),
    // One thread that cannot be folded or appended to must not keep the others from their people.
    onFault(error, thread) {
      const what = thread === undefined ? 'keep the list of open work' : 'recover a thread'
      logger.error({ err: error, thread }, `cannot ${what}`)
    },
  })
}

const exchangeBody = z.strictObject({
  token: z.string().max(TOKEN_LENGTH_MAX),
  purpose: z.enum(EXCHANGE_PURPOSES).optional(),
})

function buildApp(
  options: ServeOptions & { readonly access: Access; readonly quotas: Quotas },
  shared: readonly { mount(app: Hono): void }[],
): Hono {
  const { access, quotas } = options
  const app = new Hono()
  app.use(async (context, next) => {
    const started = performance.now()
    await next()
    const ms = Math.round(performance.now() - started)
    const { method, routePath: route } = context.req
    options.logger.info({ method, route, status: context.res.status, ms }, 'request')
  })
  app.use(async (context, next) => {
    await next()
    context.header('x-content-type-options', 'nosniff')
    context.header('referrer-policy', 'no-referrer')
    context.header('cross-origin-resource-policy', 'same-origin')
    // What is said of a case is for whoever asked: no cache keeps it unless a route says so.
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
  })
  app.use(requestGuard(options))
  app.onError((error) => {
    const problem = problemOf(error)
    if (problem.status === 500) options.logger.error({ err: error }, 'internal error')
    return problemResponse(problem)
  })
  app.notFound(() => problemResponse(notFound('page')))
  app.get('/api/health', (context) => context.json(health(options)))
  app.post('/api/token', async (context) => {
    return context.json(await access.exchange(context, await readBody(context, exchangeBody)))
  })
  app.delete('/api/token', async (context) => {
    await access.signOut(context)
    return context.json({ signedOut: true })
  })
  for (const routes of shared) routes.mount(app)
  for (const application of options.applications) application.routes(app, { access, quotas })
  if (options.pages) mountPages(app, options.pages)
  return app
}

function health({ store, version }: ServeOptions) {
  return {
    status: 'ok',
    version,
    store,
    sessionActive: false,
    sessionId: null,
    needsSetup: false,
    authMethod: 'none',
  }
}
