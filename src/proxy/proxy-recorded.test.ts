import { HttpAgent } from '@ag-ui/client'
import type { Message } from '@ag-ui/client'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { begin, text } from '../programs/loopback.fixture.ts'
import type { Answer } from '../programs/loopback.fixture.ts'
import { frameOf, proxied, user } from './proxy.fixture.ts'

const MAKERS = ['mastra', 'tanstack', 'langgraph', 'pydantic-ai'] as const

function recorded(file: string): string {
  return readFileSync(new URL(`../programs/recorded/${file}.sse`, import.meta.url), 'utf8')
}

/** An agent that answers with a recorded stream, under the ids that it is asked with. */
function playing(file: string): Answer {
  const stream = recorded(file)
  return ({ input }) => ({
    write: (response) => {
      begin(response)
      response.end(
        stream.replaceAll('THREAD', input.threadId).replaceAll('RUN"', `${input.runId}"`),
      )
    },
  })
}

/** What the stock client of a page holds after a run. */
async function held(url: string) {
  const client = new HttpAgent({ url, threadId: 'stock' })
  client.addMessage({ id: 'u1', role: 'user', content: 'What is order 4711?' })
  await client.runAgent()
  return { state: client.state as unknown, said: client.messages.map(spoken) }
}

/** Messages as a page shows them; what a producer leaves empty may be absent. */
function spoken(message: Message) {
  const { id, role } = message
  const calls = role === 'assistant' ? (message.toolCalls ?? []) : []
  const call = role === 'tool' ? { toolCallId: message.toolCallId } : {}
  const named = calls.map((each) => ({ id: each.id, function: each.function }))
  return { id, role, content: message.content ?? '', calls: named, ...call }
}

test.each(MAKERS.filter((maker) => maker !== 'tanstack'))(
  '%s: a page holds the same messages, ids and state as of the bare agent',
  async (maker) => {
    const { agent, url } = await proxied(playing(`${maker}-tool`))
    expect(await held(url)).toEqual(await held(agent.url))
  },
)

test('tanstack: the stock client refuses the bare agent, and takes it from the proxy', async () => {
  const { agent, url } = await proxied(playing('tanstack-tool'))
  const { said } = await held(url)
  expect(said.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'What is order 4711?'],
    ['assistant', 'I look it up.'],
    ['tool', '{"item":"reading lamp"}'],
    ['assistant', 'Order 4711 is a reading lamp.'],
  ])
  // It goes on behind its RUN_FINISHED.
  await expect(held(agent.url)).rejects.toThrow()
})

test.each(MAKERS)(
  '%s: a tool of the page runs there, and the agent hears its own message and call again',
  async (maker) => {
    const stream = recorded(`${maker}-page-tool`)
    const [, id] = /"toolCallId":"([^"]+)"/.exec(stream) ?? []
    const [, parent] = /"parentMessageId":"([^"]+)"/.exec(stream) ?? []
    const play = playing(`${maker}-page-tool`)
    const { agent, ask, send } = await proxied((asked, index) =>
      index === 0 ? play(asked, index) : text('thanks', 'It weighs 2 kg.'),
    )
    const tools = [{ name: 'weigh', description: 'Weighs', parameters: { type: 'object' } }]
    const question = user('How heavy is the lamp?', 'u1')
    const { frames } = await ask('', { messages: [question], tools })
    expect(frames.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'success', pendingToolCallIds: [id] },
    })
    const answer = { id: 'r1', role: 'tool', toolCallId: id, content: '2 kg' }
    const next = await send({ messages: [question, answer], tools })
    expect(frameOf(next.frames, 'TEXT_MESSAGE_CONTENT')).toMatchObject({ delta: 'It weighs 2 kg.' })
    expect(agent.requests[1]?.input.messages.slice(1)).toMatchObject([
      { id: parent, role: 'assistant', toolCalls: [{ id, function: { name: 'weigh' } }] },
      answer,
    ])
  },
)
