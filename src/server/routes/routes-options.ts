import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { unknownMember } from '../../json/index.ts'
import type { Json, KnownMembers } from '../../json/index.ts'
import type { Access } from '../access/access.ts'
import type { Authenticate } from '../access/foreign-access.ts'
import type { QuotaLimits, Quotas } from '../access/quotas.ts'
import type { Tokens } from '../access/tokens.ts'
import { ServeError } from '../problems/serve-error.ts'
import type { Pages } from './pages.ts'
import type { RunBody, StartedRun } from './run-routes.ts'

/** An application's additions to the common routes. */
export interface Extension {
  /** Adds routes of its own. */
  mount?(hono: Hono, tools: ExtensionTools): void
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
  /** Ends its open resources, such as streams of its own, when the routes are closed. */
  close?(): void
}

/** What an extension's routes share with the common ones. */
export interface ExtensionTools {
  readonly access: Access
  readonly quotas: Quotas
  /** Begins a run in a thread that the sender may enter, as `POST /api/threads/:id/runs` does. */
  readonly startRun: (context: Context, thread: string, body: RunBody) => Promise<StartedRun>
}

export interface RoutesOptions<RoleName extends string = string> extends QuotaLimits {
  /** Says who sends a request. Without it, tokens do, and the operator’s token; see {@link Authenticate}. */
  readonly authenticate?: Authenticate<RoleName>
  /** The time limit of `authenticate`, in milliseconds; 10 seconds by default. */
  readonly authenticateMaxMs?: number
  /** The path that the routes lie under, such as `/tl`, where the request’s address still has it. */
  readonly prefix?: string
  /** Makes and reads tokens; without it, those that are issued end with this process. */
  readonly tokens?: Tokens
  /** The operator's token opens everything; without one, creating and listing is open on loopback. */
  readonly operatorToken?: string
  /** The origin under which people reach the server, when a proxy stands before it. */
  readonly publicUrl?: string
  /**
   * Origins, such as `https://app.example`, whose pages may call `/agui/*` and `/chat/*` with a bearer token. A cookie
   * of theirs never counts.
   */
  readonly allowedOrigins?: readonly string[]
  /**
   * With `authenticate`: origins whose pages may send requests that change something, cookies included. The
   * mounting program answers their preflights and sets the headers of CORS.
   */
  readonly trustedOrigins?: readonly string[]
  readonly extensions?: readonly Extension[]
  readonly pages?: Pages
  /**
   * Serves the studio: under `/studio/ID` a page for the thread of this id, for the operator, or for a role by its
   * link with `#token=`. It shows what that role may read.
   */
  readonly studio?: boolean
  /**
   * Serves the agents as tools of the Model Context Protocol at `/mcp`, and threads as its resources. It needs the
   * package `@modelcontextprotocol/server`.
   */
  readonly mcp?: boolean
  /**
   * Signs checkpoints of the log for outsiders: an Ed25519 key, as `throughline witness --new-key NAME` prints it.
   * One is made at an interval, and when somebody asks for it.
   */
  readonly checkpointKey?: string
  /** The interval, in milliseconds; an hour by default. */
  readonly checkpointEveryMs?: number
  /** Addresses of witnesses that sign them too, by C2SP's tlog-witness. */
  readonly witnesses?: readonly string[]
  /**
   * Serves the operator, under `/metrics`, what Prometheus reads of this process: runs by outcome, tokens, cost,
   * appends, refusals, open streams, the lag of the feed and due work.
   */
  readonly metrics?: boolean
  /**
   * Receives every error that is answered as 500, breaks off an export, or keeps the answer to recorded events
   * from being made, with its cause. The log holds no message of foreign errors, since it could quote what a
   * person said.
   */
  readonly onFault?: (error: unknown, request: Request) => void
  /** Told of requests and faults; by default warnings go to the standard error output. */
  readonly logger?: Logger
  /** Named by `/api/health`. */
  readonly version?: string
  /** Named by `/api/health`. */
  readonly store?: string
}

export const ROUTES_OPTIONS: KnownMembers<RoutesOptions> = {
  authenticate: true,
  authenticateMaxMs: true,
  prefix: true,
  tokens: true,
  operatorToken: true,
  publicUrl: true,
  allowedOrigins: true,
  trustedOrigins: true,
  extensions: true,
  pages: true,
  studio: true,
  mcp: true,
  checkpointKey: true,
  checkpointEveryMs: true,
  witnesses: true,
  metrics: true,
  onFault: true,
  logger: true,
  version: true,
  store: true,
  streamsPerToken: true,
  turnsPerMinute: true,
  proposalsPerMinute: true,
}

const EXTENSION_PARTS: KnownMembers<Extension> = {
  mount: true,
  carries: true,
  health: true,
  close: true,
}

/** @throws {@link ServeError} `unknown_option`, `invalid_option` */
export function requireKnownOptions(
  name: 'routes' | 'serve',
  options: RoutesOptions,
  known: Readonly<Record<string, true>>,
): void {
  const { authenticate, extensions = [] } = options
  const extension = extensions.map((each) => unknownMember(each, EXTENSION_PARTS)).find(Boolean)
  const unknown = unknownMember(options, known) ?? extension
  if (unknown !== undefined) {
    throw new ServeError('unknown_option', `Cannot call ${name}: ${unknown}`)
  }
  if (authenticate === undefined || typeof authenticate === 'function') return
  const why = '`authenticate` is no function; give one of a request and a thread'
  throw new ServeError('invalid_option', `Cannot call ${name}: ${why}`)
}
