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

// A reload: the server has the thread, the turn at work and the open question.
const reloaded = async (threadId, isReady) => {
  const tab = new ChatClient({
    connection: fetchServerSentEvents(`${url}/agui/desk`),
    threadId,
    persistence: true,
  })
  tab.attach()
  const end = Date.now() + 20_000
  while (!isReady(tab) && Date.now() < end) await delay(20)
  return tab
}
const threadId = crypto.randomUUID()
const left = new ChatClient({ connection: fetchServerSentEvents(`${url}/agui/desk`), threadId })
const sending = left.sendMessage('What can you do for me?')
const hasBegun = () => textOf(left.getMessages().at(-1) ?? { parts: [] }) !== ''
while (left.getMessages().at(-1)?.role !== 'assistant' || !hasBegun()) await delay(5)
const tab = await reloaded(
  threadId,
  (each) => textOf(each.getMessages().at(1) ?? { parts: [] }).endsWith('.') && !each.getIsLoading(),
)
await sending
const joined = {
  isSame: textOf(tab.getMessages().at(-1)) === textOf(left.getMessages().at(-1)),
  roles: tab.getMessages().map(({ role }) => role),
}
const asking = new ChatClient({
  connection: fetchServerSentEvents(`${url}/agui/desk`),
  threadId: crypto.randomUUID(),
})
await asking.sendMessage('Please refund order 4711, it arrived broken.')
const again = await reloaded(asking.threadId, (each) => each.getInterrupts().length > 0)
const questions = again.getInterrupts().map(({ canResolve }) => canResolve)
for (const each of again.getInterrupts()) each.resolveInterrupt({ approved: true })
const answered = () => textOf(again.getMessages().at(-1))
const end = Date.now() + 20_000
while (!answered().includes('reference') && Date.now() < end) await delay(20)
const reload = { joined, questions, approved: answered() }
process.stdout.write(
  JSON.stringify({ first, second, roles, connections, resolvable, approved: last(), reload }),
)
process.exit(0)
