import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/client'
import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'

export interface McpSetting {
  readonly headers?: Readonly<Record<string, string>>
  /** `auto` speaks 2026-07-28. */
  readonly protocol?: 'auto' | 'legacy'
  /** What the person at the client does with a form; without it the client shows none. */
  readonly person?:
    | ((message: string, schema: Json) => ElicitResult | Promise<ElicitResult>)
    | undefined
}

/** The official client of MCP, connected to a served `/mcp`. */
export async function mcpClient(
  url: string,
  { headers = {}, protocol = 'auto', person }: McpSetting = {},
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers },
  })
  const client = mcpClientOf({ protocol, person })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

export function mcpClientOf({ protocol = 'auto', person }: McpSetting): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: protocol },
      capabilities: person ? { elicitation: { form: {} } } : {},
    },
  )
  if (person)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const { requestedSchema = null } = params as { readonly requestedSchema?: Json }
      return person(params.message, requestedSchema)
    })
  return client
}

export interface Asked {
  readonly thread: string
  readonly status: string
  readonly text: string
  readonly questions: readonly { readonly id: string; readonly message: string }[]
  readonly said: string
  readonly progress: readonly string[]
  readonly isError: boolean
}

type Options = Parameters<Client['callTool']>[1]

/** Calls a tool of an agent and collects its progress. */
export async function callOf(
  client: Client,
  name: string,
  { options = {}, ...given }: Readonly<Record<string, unknown>> & { readonly options?: Options },
): Promise<Asked> {
  const progress: string[] = []
  const onprogress = ({ message = '' }: { readonly message?: string | undefined }) =>
    void progress.push(message)
  const call = { name, arguments: { ...given } }
  const result = (await client.callTool(call, { ...options, onprogress })) as CallToolResult
  const {
    thread = '',
    status = '',
    text = '',
    questions = [],
  } = membersOf((result.structuredContent ?? null) as Json) as Partial<Asked>
  const said = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { thread, status, text, questions, said, progress, isError: result.isError ?? false }
}

export function newThread(): string {
  return `t-${randomUUID()}`
}
