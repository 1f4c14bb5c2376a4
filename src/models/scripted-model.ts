import type {
  LanguageModelV4,
  LanguageModelV4FilePart,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type { ModelFile, ModelMessage } from './model-message.ts'

export interface ScriptedCall {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[]
  /** Whether the answer must be JSON. */
  readonly answersJson: boolean
  /** How many calls this model has answered before. */
  readonly index: number
}

/** Everything that a model can answer at once: thoughts, words, tool calls. */
export interface ScriptedAnswer {
  readonly reasoning?: string
  readonly text?: string
  readonly toolCalls?: readonly {
    readonly name: string
    /** The tool's input; a text is passed on unchanged, so that it can be broken JSON. */
    readonly input: unknown
    readonly id?: string
  }[]
  /** Fails after its text, as a provider that is overloaded in the middle of an answer does. */
  readonly fail?: Error
  /** Why the answer ends; `length`: at the limit of its tokens. */
  readonly ends?: 'length'
}

/**
 * A script's answer: text, an answer with tool calls, or a fault to rehearse. `fail` alone fails
 * before the first token, `cut` writes some text and ends without a finish, `hang` never writes anything.
 */
export type ScriptedReply =
  | string
  | ScriptedAnswer
  | { readonly fail: Error }
  | { readonly cut: string }
  | { readonly hang: true }

export interface ScriptedModelOptions {
  readonly modelId?: string
  /** Characters per streamed part. */
  readonly chunkLength?: number
  /** Milliseconds between streamed parts. */
  readonly chunkDelayMs?: number
}

/**
 * A model that answers from a script instead of a network: for demonstrations without a key, and for
 * tests. It implements the AI SDK's `LanguageModelV4`, so it goes wherever a real model goes.
 *
 * @example
 * const model = scriptedModel(({ messages }) => `You said: ${messages.at(-1)?.text}`)
 */
export function scriptedModel(
  script: (call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>,
  options: ScriptedModelOptions = {},
): LanguageModelV4 {
  let index = 0
  const reply = async (call: LanguageModelV4CallOptions): Promise<Reply> => {
    const given = await script({ ...readPrompt(call), index: index++ })
    return typeof given === 'string' ? { text: given } : given
  }
  return {
    specificationVersion: 'v4',
    provider: 'throughline',
    modelId: options.modelId ?? 'scripted',
    supportedUrls: {},
    async doGenerate(call) {
      const answer = await reply(call)
      if (answer.hang || answer.cut !== undefined)
        throw new Error('Cannot generate: the scripted reply hangs or is cut')
      if (answer.fail) throw answer.fail
      const content: LanguageModelV4Content[] = []
      if (answer.reasoning) content.push({ type: 'reasoning', text: answer.reasoning })
      if (answer.text) content.push({ type: 'text', text: answer.text })
      content.push(...toolCallsOf(answer))
      return { content, ...endingOf(call, answer), warnings: [] }
    },
    async doStream(call) {
      const answer = await reply(call)
      const { fail, text, reasoning, toolCalls } = answer
      if (fail && !text && !reasoning && !toolCalls) throw fail
      return { stream: streamOf(call, answer, options) }
    },
  }
}

interface Reply extends ScriptedAnswer {
  readonly cut?: string
  readonly hang?: true
}

function streamOf(
  call: LanguageModelV4CallOptions,
  answer: Reply,
  options: ScriptedModelOptions,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(call, answer, options.chunkLength ?? 16)
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        if (answer.hang) return new Promise(() => undefined)
        const { chunkDelayMs: ms } = options
        if (ms) await new Promise((resolve) => setTimeout(resolve, ms))
        const { value, done } = parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
        return undefined
      },
    },
    { highWaterMark: 0 },
  )
}

function* partsOf(
  call: LanguageModelV4CallOptions,
  answer: Reply,
  chunkLength: number,
): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  const text = answer.cut ?? answer.text
  if (answer.reasoning) {
    yield { type: 'reasoning-start', id: 'r' }
    for (const delta of chunks(answer.reasoning, chunkLength)) {
      yield { type: 'reasoning-delta', id: 'r', delta }
    }
    yield { type: 'reasoning-end', id: 'r' }
  }
  if (text !== undefined) {
    yield { type: 'text-start', id: '0' }
    for (const delta of chunks(text, chunkLength)) {
      yield { type: 'text-delta', id: '0', delta }
    }
    if (answer.cut !== undefined) return
    yield { type: 'text-end', id: '0' }
  }
  for (const toolCall of toolCallsOf(answer)) {
    const { toolCallId: id, toolName } = toolCall
    yield { type: 'tool-input-start', id, toolName }
    for (const delta of chunks(toolCall.input, chunkLength)) {
      yield { type: 'tool-input-delta', id, delta }
    }
    yield { type: 'tool-input-end', id }
    yield toolCall
  }
  if (answer.fail) yield { type: 'error', error: answer.fail }
  else yield { type: 'finish', ...endingOf(call, answer) }
}

function* chunks(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length)
}

function toolCallsOf({ toolCalls = [] }: ScriptedAnswer): readonly LanguageModelV4ToolCall[] {
  return toolCalls.map(({ name, input, id = `call_${crypto.randomUUID()}` }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }))
}

/** Four characters a token: enough for a demonstration's usage view to move. */
function endingOf(call: LanguageModelV4CallOptions, answer: ScriptedAnswer) {
  const input = Math.ceil(JSON.stringify(call.prompt).length / 4)
  const { text = '', reasoning = '', toolCalls = [] } = answer
  const thought = Math.ceil(reasoning.length / 4)
  const hasCalls = toolCalls.length > 0
  const said = Math.ceil((text.length + (hasCalls ? JSON.stringify(toolCalls).length : 0)) / 4)
  const reason = answer.ends ?? (hasCalls ? ('tool-calls' as const) : ('stop' as const))
  return {
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: {
        total: said + thought,
        text: said,
        reasoning: thought > 0 ? thought : undefined,
      },
    },
  }
}

function readPrompt(call: LanguageModelV4CallOptions): Omit<ScriptedCall, 'index'> {
  const messages: ModelMessage[] = []
  let system = ''
  for (const message of call.prompt) {
    if (message.role === 'system') system += message.content
    else messages.push(...readMessage(message))
  }
  const tools = (call.tools ?? []).map(({ name }) => name)
  return { system, messages, tools, answersJson: call.responseFormat?.type === 'json' }
}

function readMessage(
  message: Exclude<LanguageModelV4Prompt[number], { role: 'system' }>,
): readonly ModelMessage[] {
  if (message.role === 'tool') {
    return message.content.flatMap((part) =>
      part.type === 'tool-result' ? [toolMessage(part)] : [],
    )
  }
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  if (message.role === 'user') {
    const files = message.content.flatMap((part) => (part.type === 'file' ? fileIn(part) : []))
    return [{ role: 'user', text, ...(files.length > 0 && { files }) }]
  }
  const toolCalls = message.content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId, name: part.toolName, input: JSON.stringify(part.input) }]
      : [],
  )
  return [{ role: 'assistant', text, ...(toolCalls.length > 0 ? { toolCalls } : {}) }]
}

function toolMessage(part: LanguageModelV4ToolResultPart): ModelMessage {
  const { toolCallId, toolName, output } = part
  const value = 'value' in output ? output.value : ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { role: 'tool', toolCallId, toolName, text, failed: output.type === 'error-text' }
}

/** A file in the form of our own prompts. */
function fileIn({ mediaType, data }: LanguageModelV4FilePart): readonly ModelFile[] {
  if (data.type === 'url') return [{ mediaType, data: { url: data.url.href } }]
  const isBase64 = data.type === 'data' && typeof data.data === 'string'
  return isBase64 ? [{ mediaType, data: { base64: data.data as string } }] : []
}
