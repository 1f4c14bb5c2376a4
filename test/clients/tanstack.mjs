// TanStack AI's chat client against a server; the first connection is cut in the middle of a reply.
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'
import { setTimeout as delay } from 'node:timers/promises'
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

// An approval, answered by the client's own means.
const buyer = new ChatClient({
  connection: fetchServerSentEvents(`${url}/agui/desk`),
  threadId: crypto.randomUUID(),
})
await buyer.sendMessage('Please refund order 4711, it arrived broken.')
const asked = buyer.getInterrupts()
const resolvable = asked.map(({ canResolve }) => canResolve)
for (const each of asked) each.resolveInterrupt({ approved: true })
const until = Date.now() + 20_000
const last = () => textOf(buyer.getMessages().at(-1))
while (!last().includes('reference') && Date.now() < until) await delay(20)
process.stdout.write(
  JSON.stringify({ first, second, roles, connections, resolvable, approved: last() }),
)
process.exit(0)
