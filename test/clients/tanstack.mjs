// TanStack AI's chat client against a server; the first connection is cut in the middle of a reply.
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'
import { cuttingFetch } from './cutting-fetch.mjs'

const [, , url = ''] = process.argv
const { fetch, seen } = cuttingFetch({ connection: 2, frames: 6 })
const client = new ChatClient({
  connection: fetchServerSentEvents(`${url}/agui/desk`, { fetchClient: fetch }),
  threadId: crypto.randomUUID(),
})
const textOf = ({ parts }) =>
  parts.map(({ type, content }) => (type === 'text' ? content : '')).join('')
await client.sendMessage('Are you there?')
const first = textOf(client.getMessages().at(-1))
await client.sendMessage('What can you do for me?')
const second = textOf(client.getMessages().at(-1))
const roles = client.getMessages().map(({ role }) => role)
const { connections } = seen
process.stdout.write(JSON.stringify({ first, second, roles, connections }))
process.exit(0)
