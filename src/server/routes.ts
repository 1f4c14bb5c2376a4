import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { pino } from 'pino'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Throughline } from '../application/index.ts'
import type { Json } from '../json/index.ts'
import type { Access } from './access.ts'
import { ForeignAccess } from './foreign-access.ts'
import type { Authenticate } from './foreign-access.ts'
import { loggableError } from './loggable-error.ts'
import { mountPages } from './pages.ts'
import type { Pages } from './pages.ts'
import { ProblemError, notFound, problemOf, problemResponse } from './problem.ts'
import { Quotas } from './quotas.ts'
import type { QuotaLimits } from './quotas.ts'
import { readBody } from './request-body.ts'
import { requestGuard } from './request-guard.ts'
import { RunRoutes } from './run-routes.ts'
import { ThreadEntry } from './thread-entry.ts'
import { ThreadRoutes } from './thread-routes.ts'
import type { Carried } from './thread-routes.ts'
import { EXCHANGE_PURPOSES, TokenAccess } from './token-access.ts'
import { TokenRoutes } from './token-routes.ts'
import { TokenIssuer } from './token-issuer.ts'
import { TOKEN_LENGTH_MAX, Tokens } from './tokens.ts'

/** What an application adds to the routes that all share. */
export interface Extension {
  /** Adds routes of its own. */
  mount?(hono: Hono, tools: { readonly access: Access; readonly quotas: Quotas }): void
  /**
   * Adds a member to the answer to events that were proposed in an application's threads, and a frame of
   * that name, which holds it, to streams that send the state: after each record that ends a turn.
   */
  readonly carries?: {
    readonly app: string
    readonly name: string
    value(thread: string): Promise<Json>
  }
  /** Adds members to the answer of `/api/health`. */
  health?(): Readonly<Record<string, Json>>
}

export interface RoutesOptions extends QuotaLimits {
  /** Says who sends a request. Without it, tokens do, and the operator’s token; see {@link Authenticate}. */
  readonly authenticate?: Authenticate
  /** How long that may take, in milliseconds; 10 seconds by default. */
  readonly authenticateMaxMs?: number
  /** The path that the routes lie under, such as `/tl`, where the request’s address still has it. */
  readonly prefix?: string
  /** Makes and reads tokens; without it, those that are issued end with this process. */
  readonly tokens?: Tokens
  /** The operator's token opens everything; without one, creating and listing is open on loopback. */
  readonly operatorToken?: string
  /** The origin under which people reach the server, when a proxy stands before it. */
  readonly publicUrl?: string
  readonly extensions?: readonly Extension[]
  readonly pages?: Pages
  /**
   * Receives what is answered as 500, with its cause: of errors that are not ours the log holds no message,
   * since it could quote what a person said.
   */
  readonly onFault?: (error: unknown, request: Request) => void
  /** Told of requests and faults; by default warnings go to the standard error output. */
  readonly logger?: Logger
  /** Named by `/api/health`. */
  readonly version?: string
  /** Named by `/api/health`. */
  readonly store?: string
}

/** The routes of all applications, to be mounted in another server. */
export interface Routes {
  /** Answers a request as Next, Bun, Deno and others hand it over. */
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** For a Hono application: `hono.route('/tl', routes.hono)`. */
  readonly hono: Hono
  /** Ends every stream; readers resume elsewhere or later from their cursors. */
  readonly close: () => void
}

/**
 * The routes over threads, events, runs and agents of all applications.
 *
 * @example
 * const http = routes(tl, { authenticate: (request) => sessionOf(request) })
 * export const GET = http.fetch
 */
export function routes(throughline: Throughline, given: RoutesOptions = {}): Routes {
  const options = { ...given, throughline, logger: safeLogger(given.logger) }
  const tokens = given.tokens ?? new Tokens([randomBytes(32).toString('base64url')])
  const access = given.authenticate
    ? new ForeignAccess(given.authenticate, given.authenticateMaxMs)
    : new TokenAccess({
        ...given,
        tokens,
        log: throughline.log,
        roles: throughline.apps.flatMap(({ app }) => [...app.roles.keys()]),
        rolesNeedTokens: given.tokens !== undefined,
      })
  const entry = new ThreadEntry(throughline, access)
  const quotas = new Quotas(given)
  const parts = { ...options, access, entry, quotas, carried: carriedBy(given) }
  const threads = new ThreadRoutes(parts)
  const app = appWith(options)
  app.get('/api/health', (context) => context.json(health(given)))
  threads.mount(app)
  new RunRoutes(parts).mount(app)
  if (access instanceof TokenAccess) {
    const issuer = new TokenIssuer({ tokens, log: throughline.log })
    mountSignIn(app, access)
    new TokenRoutes({ tokens, issuer, access, throughline }).mount(app)
  }
  for (const extension of given.extensions ?? []) extension.mount?.(app, { access, quotas })
  if (given.pages) mountPages(app, given.pages)
  const hono = under(given.prefix, app)
  return { fetch: (request) => hono.fetch(request), hono, close: () => threads.streams.close() }
}

const exchangeBody = z.strictObject({
  token: z.string().max(TOKEN_LENGTH_MAX),
  purpose: z.enum(EXCHANGE_PURPOSES).optional(),
})

function mountSignIn(app: Hono, access: TokenAccess): void {
  app.post('/api/token', async (context) => {
    return context.json(await access.exchange(context, await readBody(context, exchangeBody)))
  })
  app.delete('/api/token', async (context) => {
    await access.signOut(context)
    return context.json({ signedOut: true })
  })
}

/** An application without routes, with what holds for each of its answers. */
function appWith(options: RoutesOptions & { readonly logger: Logger }): Hono {
  const { logger } = options
  const app = new Hono()
  app.use(async (context, next) => {
    const started = performance.now()
    await next()
    const ms = Math.round(performance.now() - started)
    const { method, routePath: route } = context.req
    logger.info({ method, route, status: context.res.status, ms }, 'request')
  })
  app.use(async (context, next) => {
    await next()
    context.header('x-content-type-options', 'nosniff')
    context.header('referrer-policy', 'no-referrer')
    context.header('cross-origin-resource-policy', 'same-origin')
    // What is said of a thread is for whoever asked: no cache keeps it unless a route says so.
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
  })
  app.use(requestGuard({ ...options, mounted: options.authenticate !== undefined }))
  app.onError((error, { req }) => {
    const problem = problemOf(error)
    if (problem.status === 500) {
      const { method, routePath: route } = req
      logger.error({ err: error, method, route }, 'internal error')
      options.onFault?.(error, req.raw)
    }
    return problemResponse(problem)
  })
  app.notFound(({ req }) => problemResponse(noPage(req.path)))
  return app
}

function under(prefix: string | undefined, app: Hono): Hono {
  if (prefix === undefined) return app
  const outer = new Hono()
  outer.notFound(({ req }) => problemResponse(noPage(req.path, prefix)))
  return outer.route(prefix, app)
}

/** Says which prefix is missing, or wrong, where a path would be ours without what stands before it. */
function noPage(path: string, prefix?: string): ProblemError {
  const at = path.indexOf('/api/', 1)
  const before = at < 0 ? undefined : path.slice(0, at)
  if (before === undefined || before === prefix) return notFound('page')
  const given = prefix === undefined ? 'no prefix' : `the prefix "${prefix}"`
  const detail = `There is no such page: these routes have ${given}; give routes the prefix "${before}"`
  return new ProblemError('not_found', 404, { detail })
}

function carriedBy({ extensions = [] }: RoutesOptions): Carried {
  return async ({ name: app }, thread) => {
    const carries = extensions.map((each) => each.carries).find((each) => each?.app === app)
    return carries && { event: carries.name, data: { [carries.name]: await carries.value(thread) } }
  }
}

function health({ store, version, extensions = [] }: RoutesOptions) {
  const added = extensions.map((each) => each.health?.() ?? {})
  return Object.assign({ status: 'ok', version, store }, ...added) as Record<string, Json>
}

function safeLogger(given: Logger | undefined): Logger {
  const serializers = { err: (error: unknown) => loggableError(error) }
  const logger = given ?? pino({ level: 'warn' }, pino.destination(2))
  return logger.child({}, { serializers })
}
