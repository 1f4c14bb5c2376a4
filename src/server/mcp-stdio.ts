import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Readable, Writable } from 'node:stream'
import { OPERATOR } from '../application/index.ts'
import type { Throughline } from '../application/index.ts'
import { ClientTurns } from './routes/client-turns.ts'
import { loadMcpStdio } from './routes/mcp-package.ts'
import { McpRoutes } from './routes/mcp-routes.ts'
import { openParts } from './routes/open-parts.ts'
import { RUN_BYTES_MAX } from './routes/run-routes.ts'

export interface McpSession {
  readonly input: Readable
  /** Nothing else may be written to it. */
  readonly output: Writable
  /** The role of the one person at the other end; `operator` by default. */
  readonly role?: string
  /** The same person, as an opaque id. */
  readonly actor?: string
}

/**
 * Serves the agents to one client of MCP over a pair of streams. Resolves once the input has ended.
 *
 * @throws {@link ServeError} `mcp_not_installed`, `ambiguous_tool`
 */
export async function serveMcpSession(
  throughline: Throughline,
  { input, output, role = OPERATOR, actor }: McpSession,
): Promise<void> {
  const authenticate = () => ({ role, ...(actor !== undefined && { actor }) })
  const { parts, close } = openParts(throughline, { authenticate })
  const mcp = new McpRoutes(parts, new ClientTurns(parts))
  const { StdioServerTransport } = await loadMcpStdio()
  const transport = new StdioServerTransport(input, output, { maxBufferSize: RUN_BYTES_MAX })
  try {
    await withContext((context) => mcp.session(context, transport))
  } finally {
    close()
  }
}

/** The whole session is one request, as far as access is concerned. */
async function withContext(work: (context: Context) => Promise<void>): Promise<void> {
  const done = Promise.withResolvers<void>()
  const app = new Hono()
  app.get('/', async (context) => {
    await work(context).then(done.resolve, done.reject)
    return context.body(null, 204)
  })
  await app.request('/')
  return done.promise
}
