import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import { ServeError } from '../problems/serve-error.ts'
import type { AppTypes, RoleNameIn, Throughline } from '../../application/index.ts'
import type { Json } from '../../json/index.ts'
import { AGUI_ROUTES, AguiRoutes } from './agui-routes.ts'
import { CHAT_ROUTES, ChatRoutes } from './chat-routes.ts'
import { ClientTurns } from './client-turns.ts'
import { MCP_ROUTES, McpRoutes } from './mcp-routes.ts'
import { CALLER_TOKEN_ROUTES, mountCallerTokenRoutes } from './caller-token-routes.ts'
import { METRICS_ROUTES, mountMetrics } from './metrics-route.ts'
import { allowOrigins, crossOriginOf, isFrom, requireOrigins } from '../access/cross-origin.ts'
import type { Authenticate } from '../access/foreign-access.ts'
import { openApi } from './openapi.ts'
import { openParts } from './open-parts.ts'
import type { OpenedParts } from './open-parts.ts'
import { readPages } from './pages.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import { STUDIO_PAGE } from './studio-page.ts'
import type { BuiltPages } from './pages.ts'
import { requireReachable } from './hidden-routes.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { ProblemError, notFound, problemOf, problemResponse } from '../problems/problem.ts'
import { answerThenDrain } from './refused-upload.ts'
import { hostGuard, siteGuard } from '../access/request-guard.ts'
import { setHeader } from '../access/response-header.ts'
import { CHECKPOINT_ROUTES, CheckpointRoutes } from './checkpoint-routes.ts'
import { FORK_ROUTES, ForkRoutes } from './fork-routes.ts'
import type { RoutesOver } from './fork-routes.ts'
import { SIGN_IN_ROUTES, mountSignIn } from './sign-in.ts'
import { ROUTES_OPTIONS, requireKnownOptions } from './routes-options.ts'
import type { ExtensionTools, RoutesOptions } from './routes-options.ts'
import { RUN_ROUTES, mountRunRoutes, startRun } from './run-routes.ts'
import { readerOf } from './thread-entry.ts'
import { THREAD_ROUTES, mountThreadRoutes } from './thread-routes.ts'
import { TokenAccess } from '../access/token-access.ts'
import { TOKEN_ROUTES, mountTokenRoutes } from './token-routes.ts'
import { TokenIssuer } from '../access/token-issuer.ts'

/** A code that the page for unknown addresses shows, and that the log line of its request holds. */
const REPORT_CODE_BYTES = 4

/** The routes of all applications, to be mounted in another server. */
export interface Routes {
  /** Answers a request as Next, Bun, Deno and others hand it over. */
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** For a Hono application: `hono.route('/tl', routes.hono)`. */
  readonly hono: Hono
  /** Ends every stream; readers resume elsewhere or later from their cursors. */
  readonly close: () => void
}

/** Roles that are written out must be those of the applications; others are looked at when a request comes. */
export type KnownRoles<Types extends AppTypes, Given extends string> = string extends Given
  ? unknown
  : { readonly authenticate?: Authenticate<RoleNameIn<Types>> }

/**
 * The routes over threads, events, runs and agents of all applications.
 *
 * @throws {@link ServeError} `invalid_origin`, `unknown_option`, `hidden_route`
 * @example
 * const http = routes(tl, { authenticate: (request) => sessionOf(request) })
 * export const GET = http.fetch
 */
export function routes<Types extends AppTypes, Given extends string = string>(
  throughline: Throughline<Types>,
  written?: RoutesOptions<Given> & KnownRoles<Types, Given>,
): Routes {
  const given: RoutesOptions = written ?? {}
  requireKnownOptions('routes', given, ROUTES_OPTIONS)
  const { publicUrl, logger, onFault } = given
  const shared = { ...(publicUrl !== undefined && { publicUrl }), ...(logger && { logger }) }
  return routesOver(throughline, given, (forked, authenticate) =>
    routesOver(forked, { ...shared, ...(onFault && { onFault }), authenticate }),
  )
}

const DESCRIPTIONS: RouteDescriptions = {
  'GET /api/health': { summary: 'Whether the server works' },
  ...THREAD_ROUTES,
  ...RUN_ROUTES,
  ...FORK_ROUTES,
  ...CHECKPOINT_ROUTES,
  ...AGUI_ROUTES,
  ...CHAT_ROUTES,
  ...MCP_ROUTES,
  ...METRICS_ROUTES,
  ...SIGN_IN_ROUTES,
  ...TOKEN_ROUTES,
  ...CALLER_TOKEN_ROUTES,
}

/** Forks have routes of their own, and cannot be forked. */
function routesOver(throughline: Throughline, given: RoutesOptions, overFork?: RoutesOver): Routes {
  const pages = given.pages && readPages(given.pages)
  const opened = openParts(throughline, given)
  const { parts } = opened
  const options = { ...given, pages, logger: parts.logger }
  const app = appWith(options)
  app.get('/api/health', (context) => context.json(health(throughline, given)))
  mountThreadRoutes(app, parts)
  mountRunRoutes(app, parts)
  const forks = overFork && new ForkRoutes(parts, overFork)
  forks?.mount(app)
  const checkpoints = overFork && CheckpointRoutes.begin(parts, given)
  checkpoints?.mount(app)
  const turns = new ClientTurns(parts)
  new AguiRoutes(parts, turns).mount(app)
  new ChatRoutes(parts, turns).mount(app)
  if (given.mcp) new McpRoutes(parts, turns).mount(app)
  const endMetrics = given.metrics ? mountMetrics(app, parts) : undefined
  mountAccessRoutes(app, opened)
  mountExtensions(app, parts, given)
  mountOpenApi(app, given)
  pages?.mount(app)
  if (given.studio) readPages(STUDIO_PAGE).mount(app)
  refuseOtherMethods(app)
  const hono = under(options, app)
  const close = (): void => {
    opened.close()
    endMetrics?.()
    forks?.close()
    checkpoints?.close()
    for (const extension of given.extensions ?? []) extension.close?.()
  }
  return { fetch: (request) => hono.fetch(request), hono, close }
}

/** Describes what is mounted before it: no pages. */
function mountOpenApi(app: Hono, { version, prefix }: RoutesOptions): void {
  let text: string | undefined
  const routes = [...app.routes]
  app.get('/openapi.json', (context) => {
    text ??= JSON.stringify(openApi({ routes }, { descriptions: DESCRIPTIONS, version, prefix }))
    return context.body(text, 200, { 'content-type': 'application/json' })
  })
}

/** Where a program says who sends a request, nobody signs in here. */
function mountAccessRoutes(app: Hono, { parts, tokens }: OpenedParts): void {
  const { access, throughline } = parts
  if (!(access instanceof TokenAccess)) return
  const issuer = new TokenIssuer({ tokens, log: throughline.log })
  mountSignIn(app, access)
  const tokenParts = { tokens, issuer, access, throughline }
  mountTokenRoutes(app, tokenParts)
  mountCallerTokenRoutes(app, tokenParts)
}

function mountExtensions(app: Hono, parts: RouteParts, { extensions = [] }: RoutesOptions): void {
  const { access, quotas, entry } = parts
  const tools: ExtensionTools = {
    access,
    quotas,
    startRun: async (context, thread, body) =>
      startRun(context, parts, { entered: await entry.enterNamed(context, thread), body }),
  }
  for (const extension of extensions) {
    const count = app.routes.length
    extension.mount?.(app, tools)
    requireReachable(app.routes, count)
  }
}

type AppOptions = Omit<RoutesOptions, 'pages'> & {
  readonly logger: Logger
  readonly pages: BuiltPages | undefined
}

/** An application without routes, with what holds for each of its answers. */
function appWith(options: AppOptions): Hono {
  const { logger } = options
  const app = new Hono()
  app.use(async (context, next) => {
    const started = performance.now()
    await next()
    const ms = Math.round(performance.now() - started)
    const { method, routePath: route } = context.req
    const line = { method, route, status: context.res.status, ms }
    logger.info(line, 'request')
    if (!isMissingPage(context.res)) return
    const code = randomBytes(REPORT_CODE_BYTES).toString('hex')
    // The page reads it there: no script can read the headers of the answer that it came in.
    setHeader(context, 'server-timing', `code;desc="${code}"`)
    logger.warn({ ...line, code }, 'page not found')
  })
  app.use(async (context, next) => {
    await next()
    setHeader(context, 'x-content-type-options', 'nosniff')
    setHeader(context, 'referrer-policy', 'no-referrer')
    if (!context.res.headers.has('cross-origin-resource-policy')) {
      setHeader(context, 'cross-origin-resource-policy', 'same-origin')
    }
    // An answer about a thread is for its caller: no cache keeps it unless a route allows it.
    if (!context.res.headers.has('cache-control')) setHeader(context, 'cache-control', 'no-store')
  })
  const guarded = { ...options, mounted: options.authenticate !== undefined }
  app.use(hostGuard(guarded))
  const allowed = requireOrigins(options.allowedOrigins ?? [], 'allowedOrigins')
  const isTrusted = isFrom(requireOrigins(trustedOriginsOf(options), 'trustedOrigins'))
  for (const path of ['/agui/*', '/chat/*']) app.use(path, allowOrigins(allowed, guarded))
  app.use(
    siteGuard(guarded, (context) => crossOriginOf(context) !== undefined || isTrusted(context)),
  )
  app.onError((error, context) => {
    const { req } = context
    const problem = problemOf(error, readerOf(context))
    if (problem.status === 500) {
      const { method, routePath: route } = req
      logger.error({ err: error, method, route }, 'internal error')
      options.onFault?.(error, req.raw)
    }
    const answer = problemResponse(problem)
    return problem.code === 'body_too_large' ? answerThenDrain(context, answer) : answer
  })
  app.notFound((context) => answerMissing(context, options))
  return app
}

/** Only who says who sends a request may trust its page. */
function trustedOriginsOf({
  authenticate,
  trustedOrigins = [],
}: Pick<AppOptions, 'authenticate' | 'trustedOrigins'>): readonly string[] {
  if (authenticate || trustedOrigins.length === 0) return trustedOrigins
  const why = 'give `authenticate`, which says who sends a request, or use `allowedOrigins`'
  throw new ServeError('invalid_origin', `Cannot take \`trustedOrigins\`: ${why}`)
}

function isMissingPage({ status, headers }: Response): boolean {
  return status === 404 && (headers.get('content-type')?.startsWith('text/html') ?? false)
}

function under(options: Pick<AppOptions, 'pages' | 'prefix'>, app: Hono): Hono {
  const { prefix } = options
  if (prefix === undefined) return app
  const outer = new Hono()
  outer.notFound((context) => answerMissing(context, options))
  outer.route(prefix, app)
  // Hono would answer a plain 404 where the server that mounts these adds the prefix again.
  outer.all('/api/*', async (context, next) => {
    if (context.req.routePath !== `${prefix}/api/*`) return next()
    return problemResponse(mountedTwice(prefix))
  })
  return outer
}

function answerMissing(
  context: Context,
  { pages, prefix }: Pick<AppOptions, 'pages' | 'prefix'>,
): Response {
  return pages?.missing(context) ?? problemResponse(noPage(context.req.path, prefix))
}

/** Names the prefix that is missing or wrong, where a path would be ours without it. */
function noPage(path: string, prefix?: string): ProblemError {
  const at = path.indexOf('/api/', 1)
  const before = at < 0 ? undefined : path.slice(0, at)
  if (before === undefined || before === prefix) return notFound('page')
  const given = prefix === undefined ? 'no prefix' : `the prefix "${prefix}"`
  const detail = `There is no such page: these routes have ${given}; give routes the prefix "${before}"`
  return new ProblemError('not_found', 404, { detail })
}

function mountedTwice(prefix: string): ProblemError {
  const why = `these routes have the prefix "${prefix}" and are mounted under it too`
  const detail = `There is no such page: ${why}; leave one of the two out`
  return new ProblemError('not_found', 404, { detail })
}

/** `waiting` while the store refuses what must be recorded: it is tried again. */
function health(
  { unrecorded }: Pick<Throughline, 'unrecorded'>,
  { store, version, extensions = [] }: RoutesOptions,
) {
  const added = extensions.map((each) => each.health?.() ?? {})
  const status = unrecorded > 0 ? { status: 'waiting', unrecorded } : { status: 'ok' }
  return Object.assign({ ...status, version, store }, ...added) as Record<string, Json>
}
