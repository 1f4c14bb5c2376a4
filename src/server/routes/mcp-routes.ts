import type { Transport } from '@modelcontextprotocol/server'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { OpenedApp } from '../../application/index.ts'
import { BODY_DEPTH_MAX, BODY_VALUES_MAX, isJsonArray, textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { inputSize } from './agui-input.ts'
import type { ClientTurns } from './client-turns.ts'
import { mcpAgents } from './mcp-agents.ts'
import type { McpAgent } from './mcp-agents.ts'
import { loadMcp, loadMcpStdio, requireMcpPackage } from './mcp-package.ts'
import { mcpServer } from './mcp-server.ts'
import type { McpServing } from './mcp-serving.ts'
import { readJson } from './request-body.ts'
import type { BodyLimits } from './request-body.ts'
import { JSON_TYPE, STREAM } from './route-description.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import { RUN_BYTES_MAX } from './run-routes.ts'
import { mayAsk } from './thread-entry.ts'

/** A message holds no more than the prompt of a run. */
const MESSAGE_LIMITS: BodyLimits = {
  bytesMax: RUN_BYTES_MAX,
  depthMax: BODY_DEPTH_MAX,
  valuesMax: BODY_VALUES_MAX,
}

const UNSERVED = 'a message of MCP was not served as it asked'

/** Requests whose answer does not depend on the agents that a sender may ask: calls enter their thread. */
const OF_THREADS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'ping'])

export const MCP_ROUTES: RouteDescriptions = {
  'POST /mcp': {
    summary: 'Agents as tools, and threads as resources',
    // The package of the protocol checks it.
    body: z.looseObject({}).describe('A message of the Model Context Protocol'),
    answers: [JSON_TYPE, STREAM],
  },
}

/** Served agents as tools of MCP, and threads as its resources. */
export class McpRoutes {
  readonly #parts: RouteParts
  readonly #turns: ClientTurns
  readonly #agents: readonly McpAgent[]
  readonly #open = new Set<symbol>()

  /** @throws {@link ServeError} `mcp_not_installed`, `ambiguous_tool` */
  constructor(parts: RouteParts, turns: ClientTurns) {
    requireMcpPackage()
    this.#parts = parts
    this.#turns = turns
    this.#agents = mcpAgents(parts.throughline)
  }

  mount(app: Hono): void {
    app.post('/mcp', (context) => this.#answer(context))
  }

  /** Serves one session, whose messages a transport brings and takes. Resolves once it has ended. */
  async session(context: Context, transport: Transport): Promise<void> {
    const { logger } = this.#parts
    const serving = await this.#serving(context, await this.#agentsOf(context))
    const { serveStdio } = await loadMcpStdio()
    const ended = Promise.withResolvers<void>()
    const failed = (err: Error): void => logger.warn({ err }, UNSERVED)
    serveStdio((of) => mcpServer(serving, of), { transport, maxSubscriptions: 0, onerror: failed })
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      ended.resolve()
    }
    await ended.promise
  }

  async #serving(context: Context, agents: readonly McpAgent[]): Promise<McpServing> {
    const [parts, turns, open] = [this.#parts, this.#turns, this.#open]
    return { parts, turns, open, context, agents, mcp: await loadMcp() }
  }

  /** The agents that the sender may ask. */
  async #agentsOf(context: Context): Promise<readonly McpAgent[]> {
    const { access, throughline } = this.#parts
    const entrant = await access.entrant(context)
    return this.#agents.filter(({ name }) =>
      throughline.apps.some((opened) => offers(opened, name) && mayAsk(opened, entrant, name)),
    )
  }

  async #answer(context: Context): Promise<Response> {
    const { access, quotas, logger } = this.#parts
    // Before the body is read.
    const sender = await access.requireCredentials(context)
    if (sender) quotas.takeProposal(sender, performance.now(), inputSize(context))
    const message = (await readJson(context, MESSAGE_LIMITS)) as Json
    if (isJsonArray(message)) throw batch()
    const isOfThreads = OF_THREADS.has(textOf(message, 'method'))
    const agents = isOfThreads ? this.#agents : await this.#agentsOf(context)
    const serving = await this.#serving(context, agents)
    const handler = serving.mcp.createMcpHandler((of) => mcpServer(serving, of), {
      // Nothing tells a client that something has changed.
      maxSubscriptions: 0,
      onerror: (err) => logger.warn({ err }, UNSERVED),
    })
    return handler.fetch(context.req.raw, { parsedBody: message })
  }
}

function offers({ app }: OpenedApp, agent: string): boolean {
  return app.agents.some(({ name }) => name === agent)
}

function batch(): ProblemError {
  const detail = 'Cannot take a list of messages: send each message in a request of its own'
  return new ProblemError('invalid_body', 400, { detail })
}
