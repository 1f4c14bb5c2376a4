import { createAdaptorServer } from '@hono/node-server'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ServeError } from './problems/serve-error.ts'
import type { AppTypes, Throughline } from '../application/index.ts'
import type { KnownMembers } from '../json/index.ts'
import { isLoopback } from './access/request-guard.ts'
import { ROUTES_OPTIONS, requireKnownOptions } from './routes/routes-options.ts'
import type { RoutesOptions } from './routes/routes-options.ts'
import { routes } from './routes/routes.ts'
import type { KnownRoles } from './routes/routes.ts'

/** The time for running turns to end after the server is asked to stop. */
export const DRAIN_GRACE_MS = 6_000
/** The time for open connections to end after that. */
const CLOSE_GRACE_MS = 1_000
/** Characters of an operator's token on a host that others reach. */
const TOKEN_CHARS_MIN = 32

export interface ServeOptions<RoleName extends string = string> extends RoutesOptions<RoleName> {
  /** `127.0.0.1` by default. Another needs `operatorToken` or `authenticate`. */
  readonly host?: string
  /** 3000 by default; 0 picks a free one. */
  readonly port?: number
}

const SERVE_OPTIONS: KnownMembers<ServeOptions> = { ...ROUTES_OPTIONS, host: true, port: true }

export interface RunningServer {
  readonly url: string
  /** Drains the applications, ends every stream, then closes the listener; the log stays open. */
  close(): Promise<void>
}

/**
 * Serves all applications over HTTP.
 *
 * @throws {@link ServeError} `open_to_all`, `invalid_origin`, `unknown_option`; `EADDRINUSE` when the port is taken
 * @example
 * const server = await serve(tl, { port: 3000 })
 */
export async function serve<Types extends AppTypes, Given extends string = string>(
  throughline: Throughline<Types>,
  given?: ServeOptions<Given> & KnownRoles<Types, Given>,
): Promise<RunningServer> {
  const options: ServeOptions = given ?? {}
  requireKnownOptions('serve', options, SERVE_OPTIONS)
  const { host = '127.0.0.1', port = 3000, ...others } = options
  const { operatorToken, authenticate } = others
  const isGuarded = authenticate !== undefined || (operatorToken ?? '').length >= TOKEN_CHARS_MIN
  if (!isLoopback(host) && !isGuarded) throw openToAll(host)
  const { hono, close } = routes(throughline, others)
  // The adaptor's union covers HTTP/2; without options it makes the plain server of node:http.
  const fetch = (request: Request, bindings: object) =>
    hono.fetch(request, { ...bindings, ownServer: true })
  const server = createAdaptorServer({ fetch }) as Server
  server.listen(port, host)
  await once(server, 'listening')
  // A server that listens at no pipe has an address and a port.
  const { port: listened } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${listened}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await throughline.drain(DRAIN_GRACE_MS)
      close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

function openToAll(host: string): ServeError {
  return new ServeError(
    'open_to_all',
    `Cannot serve on "${host}": anybody who reaches it, or guesses a short token, would be the operator; give ` +
      `authenticate, or an operatorToken of ${TOKEN_CHARS_MIN} characters, or serve on 127.0.0.1`,
  )
}
