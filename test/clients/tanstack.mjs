// TanStack AI's chat client against a server; the first connection is cut in the middle of a reply.
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'

const [, , url = ''] = process.argv
let connections = 0
const cutting = async (input, init) => {
  const response = await fetch(input, init)
  if (++connections !== 2 || !response.body) return response
  return new Response(response.body.pipeThrough(cutAfter(6)), response)
}

/** Ends a stream after some frames, between two of them. */
function cutAfter(frames) {
  let text = ''
  let seen = 0
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  return new TransformStream({
    transform(bytes, controller) {
      text += decoder.decode(bytes, { stream: true })
      const whole = text.split('\n\n')
      text = whole.pop() ?? ''
      for (const frame of whole) {
        if (seen++ < frames) controller.enqueue(encoder.encode(`${frame}\n\n`))
        else controller.terminate()
      }
    },
  })
}

const client = new ChatClient({
  connection: fetchServerSentEvents(`${url}/agui/desk`, { fetchClient: cutting }),
  threadId: crypto.randomUUID(),
})
const textOf = ({ parts }) =>
  parts.map(({ type, content }) => (type === 'text' ? content : '')).join('')
await client.sendMessage('Are you there?')
const first = textOf(client.getMessages().at(-1))
await client.sendMessage('What can you do for me?')
const second = textOf(client.getMessages().at(-1))
const roles = client.getMessages().map(({ role }) => role)
process.stdout.write(JSON.stringify({ first, second, roles, connections }))
process.exit(0)
