// A Mastra agent behind `@ag-ui/mastra`, with the mock model that Mastra tests itself with.
import { MastraAgent } from '@ag-ui/mastra'
import { Agent } from '@mastra/core/agent'
import { MastraLanguageModelV2Mock, simulateReadableStream } from '@mastra/core/test-utils/llm-mock'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { reply } from './reply.mjs'

const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 }

const model = new MastraLanguageModelV2Mock({
  provider: 'scripted',
  modelId: 'clerk',
  doStream: async ({ prompt }) => ({
    stream: simulateReadableStream({ chunks: partsOf(reply(JSON.stringify(prompt))) }),
  }),
})

function partsOf({ text, tool }) {
  const call = tool && {
    type: 'tool-call',
    toolCallId: crypto.randomUUID(),
    toolName: tool.name,
    input: JSON.stringify(tool.input),
  }
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'text' },
    ...text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: 'text', delta })),
    { type: 'text-end', id: 'text' },
    ...(call ? [call] : []),
    { type: 'finish', finishReason: call ? 'tool-calls' : 'stop', usage },
  ]
}

const lookUp = createTool({
  id: 'look_up',
  description: 'Looks an order up',
  inputSchema: z.object({ order: z.string() }),
  execute: async () => ({ item: 'reading lamp' }),
})

const agent = new Agent({
  id: 'clerk',
  name: 'clerk',
  instructions: 'Look orders up.',
  model,
  maxRetries: 0,
  tools: { look_up: lookUp },
})

export function mastraResponse(input) {
  const encoder = new TextEncoder()
  let run
  const body = new ReadableStream({
    start(controller) {
      const next = (event) =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`))
      const complete = () => controller.close()
      // As the servers do that such agents are usually behind.
      const error = ({ message }) => {
        next({ type: 'RUN_ERROR', message })
        complete()
      }
      const events = new MastraAgent({ agent, resourceId: 'test' }).run(input)
      run = events.subscribe({ next, error, complete })
    },
    cancel: () => run.unsubscribe(),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
