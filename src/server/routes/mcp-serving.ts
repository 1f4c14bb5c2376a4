import type { Context } from 'hono'
import { problemOf } from '../problems/problem.ts'
import type { ProblemError } from '../problems/problem.ts'
import type { ClientTurns } from './client-turns.ts'
import type { McpAgent } from './mcp-agents.ts'
import type { McpPackage } from './mcp-package.ts'
import type { RouteParts } from './route-parts.ts'
import { readerOf } from './thread-entry.ts'

/** What a server of MCP for one sender is made of. */
export interface McpServing {
  readonly parts: RouteParts
  readonly turns: ClientTurns
  readonly mcp: McpPackage
  /** Of the HTTP request, or of the session over stdio: it says who calls. */
  readonly context: Context
  /** Those that a list of tools names. */
  readonly agents: readonly McpAgent[]
  /** The calls that the server answers. */
  readonly open: Set<symbol>
}

/** The problem of an error, which the log gets where it is our fault. */
export function reported(
  { parts, context }: Pick<McpServing, 'parts' | 'context'>,
  error: unknown,
): ProblemError {
  const problem = problemOf(error, readerOf(context))
  if (problem.status === 500) {
    parts.logger.error({ err: error }, 'a call over MCP failed')
    parts.onFault?.(error, context.req.raw)
  }
  return problem
}
