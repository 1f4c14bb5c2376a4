import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type {
  AgentInputItem,
  Model,
  ModelRequest,
  ResponseStreamEvent,
  StreamEventResponseCompleted,
} from '@openai/agents-core'

/** What a model answers at once: words in pieces, or one call of a tool. */
export type Answer = { readonly chunks: readonly string[] } | { readonly tool: string }

/** What a model answers, by how many results of tools it has been given. */
export type Script = readonly Answer[]

const CALL = 'call_1'
const TOKENS = 10

/** A model that has its whole answer ready, behind the AI SDK's provider interface. */
export function instantModel(script: Script): LanguageModelV4 {
  const answers = script.map((answer) => partsOf(answer))
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'instant',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Cannot generate: this model only streams')),
    doStream: ({ prompt }) => {
      const parts = answers[prompt.filter(({ role }) => role === 'tool').length] ?? []
      return Promise.resolve({ stream: streamOf(parts) })
    },
  }
}

/** The same behind the interface of the OpenAI Agents SDK, so that no adapter slows it down. */
export function instantOpenAiModel(script: Script): Model {
  const answers = script.map((answer) => openAiEventsOf(answer))
  return {
    getResponse: () => Promise.reject(new Error('Cannot generate: this model only streams')),
    async *getStreamedResponse({ input }: ModelRequest) {
      const results = typeof input === 'string' ? 0 : input.filter(isResult).length
      yield* answers[results] ?? []
    },
  }
}

/** One part for each request of the reader, as the provider packages' streams give them. */
function streamOf(
  parts: readonly LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> {
  let at = 0
  return new ReadableStream<LanguageModelV4StreamPart>({
    pull(controller) {
      const part = parts[at++]
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}

function partsOf(answer: Answer): readonly LanguageModelV4StreamPart[] {
  const count = { total: TOKENS, noCache: TOKENS, cacheRead: undefined, cacheWrite: undefined }
  const usage = {
    inputTokens: count,
    outputTokens: { total: TOKENS, text: TOKENS, reasoning: undefined },
  }
  if ('tool' in answer) {
    const { tool: toolName } = answer
    return [
      { type: 'stream-start', warnings: [] },
      { type: 'tool-input-start', id: CALL, toolName },
      { type: 'tool-input-delta', id: CALL, delta: INPUT },
      { type: 'tool-input-end', id: CALL },
      { type: 'tool-call', toolCallId: CALL, toolName, input: INPUT },
      { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage },
    ]
  }
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...answer.chunks.map((delta) => ({ type: 'text-delta', id: '0', delta }) as const),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
  ]
}

/** What every tool here takes. */
const INPUT = '{"message":"page 1"}'

function openAiEventsOf(answer: Answer): readonly ResponseStreamEvent[] {
  const usage = { requests: 1, inputTokens: TOKENS, outputTokens: TOKENS, totalTokens: 2 * TOKENS }
  const chunks = 'tool' in answer ? [] : answer.chunks
  return [
    { type: 'response_started' },
    ...chunks.map((delta) => ({ type: 'output_text_delta', delta }) as const),
    {
      type: 'response_done',
      response: { id: 'response', usage, output: [openAiOutputOf(answer)] },
    },
  ]
}

type OutputItem = StreamEventResponseCompleted['response']['output'][number]

function openAiOutputOf(answer: Answer): OutputItem {
  if ('tool' in answer) {
    const { tool: name } = answer
    return { type: 'function_call', callId: CALL, name, arguments: INPUT, status: 'completed' }
  }
  return {
    type: 'message',
    id: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: answer.chunks.join('') }],
  }
}

function isResult({ type }: AgentInputItem): boolean {
  return type === 'function_call_result'
}
