// The route of a TanStack AI server: `chat()` with a scripted adapter, answered as its own SSE response.
import {
  chat,
  chatParamsFromRequestBody,
  mergeAgentTools,
  toServerSentEventsResponse,
  toolDefinition,
} from '@tanstack/ai'
import { reply } from './reply.mjs'

const usage = { promptTokens: 5, completionTokens: 2, totalTokens: 7 }

const adapter = {
  kind: 'text',
  name: 'scripted',
  model: 'clerk',
  async *chatStream({ messages, threadId, runId }) {
    const { text, tool } = reply(JSON.stringify(messages))
    const messageId = crypto.randomUUID()
    yield { type: 'RUN_STARTED', threadId, runId, model: 'clerk' }
    yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', model: 'clerk' }
    for (const delta of text.split(/(?<= )/))
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta }
    yield { type: 'TEXT_MESSAGE_END', messageId }
    if (tool) {
      const call = { toolCallId: crypto.randomUUID(), toolCallName: tool.name }
      yield { type: 'TOOL_CALL_START', ...call, parentMessageId: messageId, index: 0 }
      yield { type: 'TOOL_CALL_ARGS', ...call, delta: JSON.stringify(tool.input) }
      yield { type: 'TOOL_CALL_END', ...call, input: tool.input }
    }
    const finishReason = tool ? 'tool_calls' : 'stop'
    yield { type: 'RUN_FINISHED', threadId, runId, model: 'clerk', usage, finishReason }
  },
  structuredOutput: async () => {
    throw new Error('not scripted')
  },
}

const lookUp = toolDefinition({
  name: 'look_up',
  description: 'Looks an order up',
  inputSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
}).server(async () => ({ item: 'reading lamp' }))

export async function tanstackResponse(body) {
  const { messages, threadId, runId, tools, resume } = await chatParamsFromRequestBody(body)
  return toServerSentEventsResponse(
    chat({
      adapter,
      messages,
      threadId,
      runId,
      tools: mergeAgentTools([lookUp], tools),
      ...(resume ? { resume } : {}),
    }),
  )
}
