import type { Throughline } from '../../application/index.ts'
import { quotedNames } from '../../json/index.ts'
import { ServeError } from '../problems/serve-error.ts'

/** The longest name of a tool that every MCP client takes, in characters. */
export const MCP_TOOL_NAME_CHARS_MAX = 64

const ASK = 'ask_'
const ANSWER = 'answer_'

/** An agent with the names of its two tools. */
export interface McpAgent {
  readonly name: string
  readonly description: string
  readonly ask: string
  readonly answer: string
}

/**
 * The agents of all applications. Where two applications have an agent of the same name, the thread decides
 * which one is asked, as over HTTP.
 *
 * @throws {@link ServeError} `ambiguous_tool`
 */
export function mcpAgents({ apps }: Pick<Throughline, 'apps'>): readonly McpAgent[] {
  const byTool = new Map<string, McpAgent>()
  for (const { name, description = '' } of apps.flatMap(({ app }) => app.agents)) {
    const ask = toolName(ASK, name)
    const other = byTool.get(ask)
    if (other && other.name !== name) throw ambiguous(ask, [other.name, name])
    byTool.set(ask, other ?? { name, description, ask, answer: toolName(ANSWER, name) })
  }
  return [...byTool.values()]
}

/** Both names of an agent are cut at the same place. */
function toolName(prefix: string, agent: string): string {
  return prefix + agent.slice(0, MCP_TOOL_NAME_CHARS_MAX - ANSWER.length)
}

function ambiguous(tool: string, agents: readonly string[]): ServeError {
  const max = MCP_TOOL_NAME_CHARS_MAX - ANSWER.length
  const why = `the agents ${quotedNames(agents)} would both be the tool "${tool}"`
  const mend = `give them names that differ in their first ${max} characters`
  return new ServeError('ambiguous_tool', `Cannot serve MCP: ${why}; ${mend}`)
}
