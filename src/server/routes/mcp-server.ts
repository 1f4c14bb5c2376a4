import type { McpRequestContext, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { membersOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { McpAgent } from './mcp-agents.ts'
import { McpCalls, answerInput, askInput } from './mcp-calls.ts'
import type { McpRequest } from './mcp-calls.ts'
import { McpResources } from './mcp-resources.ts'
import { refusalOf, turnResult } from './mcp-result.ts'
import { reported } from './mcp-serving.ts'
import type { McpServing } from './mcp-serving.ts'

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** Nothing tells a client that a list has changed. */
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } }

const INSTRUCTIONS =
  'Each ask_ tool asks one agent, in a thread that keeps the conversation and all that was decided. ' +
  'Give the thread of the result before to go on with it, and an id to be able to repeat a call safely. ' +
  'A result with the status "waiting" holds questions for a person: never answer them yourself, ask the ' +
  'person and send their answers with the answer_ tool.'

/** A server of MCP for one sender: for one request over HTTP, for one session over stdio. */
export function mcpServer(serving: McpServing, { era }: McpRequestContext): McpServer {
  const { parts, mcp } = serving
  const { version = '0' } = parts
  const options = { instructions: INSTRUCTIONS, capabilities: CAPABILITIES }
  const server = new mcp.McpServer({ name: 'throughline', version }, options)
  const canElicit = ({ envelope }: ServerContext['mcpReq']): boolean =>
    elicits(
      era === 'modern'
        ? membersOf((envelope ?? null) as Json)[CLIENT_CAPABILITIES]
        : server.server.getClientCapabilities(),
    )
  addTools(server, { ...serving, canElicit })
  new McpResources(serving).register(server)
  return server
}

function addTools(
  server: McpServer,
  {
    canElicit,
    ...serving
  }: McpServing & { readonly canElicit: (request: ServerContext['mcpReq']) => boolean },
): void {
  const calls = new McpCalls(serving)
  const call = async <Result>(
    agent: McpAgent,
    { mcpReq }: ServerContext,
    work: (request: McpRequest) => Promise<Result>,
  ) => {
    try {
      return await work({ agent, mcpReq, canElicit: canElicit(mcpReq) })
    } catch (error) {
      return refusalOf(reported(serving, error))
    }
  }
  for (const agent of serving.agents) {
    const { name, description, ask, answer } = agent
    const about = description === '' ? `Asks the agent "${name}".` : description
    const outputSchema = turnResult
    server.registerTool(
      ask,
      { title: name, description: about, inputSchema: askInput, outputSchema },
      (given, context) => call(agent, context, (request) => calls.ask(given, request)),
    )
    server.registerTool(
      answer,
      {
        title: `${name}: answer`,
        description:
          `Sends a person's answers to what ${ask} asked. Only the person decides: put the questions ` +
          'before them, and send what they said.',
        inputSchema: answerInput,
        outputSchema,
      },
      (given, context) => call(agent, context, (request) => calls.answer(given, request)),
    )
  }
}

/** Clients that name no kind of form show plain ones. */
function elicits(capabilities: unknown): boolean {
  const { elicitation } = membersOf((capabilities ?? null) as Json)
  if (elicitation === undefined) return false
  const { form, url } = membersOf(elicitation)
  return form !== undefined || url === undefined
}
