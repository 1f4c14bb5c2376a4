/**
 * A client of MCP on a terminal: it starts `throughline mcp`, asks the desk, and puts its questions before you.
 *
 * npm start --prefix examples/mcp/client
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const { STORE = 'memory:' } = process.env

/** In a program of yours: `npx throughline mcp ./desk.ts`. */
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [
    '--conditions=throughline-source',
    '--disable-warning=ExperimentalWarning',
    place('../../../src/cli/main.ts'),
    'mcp',
    `--store=${STORE}`,
    '--actor=you',
    place('../desk.ts'),
  ],
})

const terminal = createInterface({ input: process.stdin, output: process.stdout })
const decide = async (question: string): Promise<boolean> => {
  if (process.stdin.isTTY) return /^y/i.test(await terminal.question(`${question} [y/n] `))
  console.log(`${question} yes, as nobody sits here`)
  return true
}

const client = new Client(
  { name: 'terminal', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
)
client.setRequestHandler('elicitation/create', async ({ params }) => ({
  action: 'accept',
  content: { approved: await decide(params.message) },
}))
await client.connect(transport)

const { tools } = await client.listTools()
console.log(`tools: ${tools.map(({ name }) => name).join(', ')}`)
const message = 'Please refund 40 for the kettle'
console.log(`you: ${message}`)
const { structuredContent } = await client.callTool(
  { name: 'ask_desk', arguments: { message, thread: 'kettle', id: 'first' } },
  { onprogress: ({ message: words }) => console.log(`  … ${words ?? ''}`) },
)
console.log('result:', structuredContent)
const { contents } = await client.readResource({ uri: 'throughline://threads/kettle/state' })
console.log('state:', contents[0] && 'text' in contents[0] ? contents[0].text : '')

terminal.close()
await client.close()
