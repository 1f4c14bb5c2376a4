import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { ModelMessage } from './model-call.ts'

export interface ScriptedCall {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** How many calls this model has answered before. */
  readonly index: number
}

/**
 * What a script answers: text, or a fault to rehearse. `fail` fails before the first token, `cut`
 * says some text and ends without a finish, `hang` never says anything.
 */
export type ScriptedReply =
  | string
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
  const reply = async (call: LanguageModelV4CallOptions): Promise<ScriptedReply> =>
    script({ ...readPrompt(call.prompt), index: index++ })
  return {
    specificationVersion: 'v4',
    provider: 'throughline',
    modelId: options.modelId ?? 'scripted',
    supportedUrls: {},
    async doGenerate(call) {
      const answer = await reply(call)
      if (typeof answer === 'object') {
        throw 'fail' in answer ? answer.fail : new Error('Cannot generate: the script says so')
      }
      return {
        content: [{ type: 'text', text: answer }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: usageOf(call, answer),
        warnings: [],
      }
    },
    async doStream(call) {
      const answer = await reply(call)
      if (typeof answer === 'object' && 'fail' in answer) throw answer.fail
      return { stream: streamOf(call, answer, options) }
    },
  }
}

function streamOf(
  call: LanguageModelV4CallOptions,
  answer: Exclude<ScriptedReply, { fail: Error }>,
  options: ScriptedModelOptions,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(call, answer, options.chunkLength ?? 16)
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        if (typeof answer === 'object' && 'hang' in answer) return new Promise(() => undefined)
        if (options.chunkDelayMs) await delay(options.chunkDelayMs)
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
  answer: Exclude<ScriptedReply, { fail: Error }>,
  chunkLength: number,
): Generator<LanguageModelV4StreamPart> {
  const text = typeof answer === 'string' ? answer : 'cut' in answer ? answer.cut : ''
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: '0' }
  for (let start = 0; start < text.length; start += chunkLength) {
    yield { type: 'text-delta', id: '0', delta: text.slice(start, start + chunkLength) }
  }
  if (typeof answer === 'object') return
  yield { type: 'text-end', id: '0' }
  const finishReason = { unified: 'stop', raw: 'stop' } as const
  yield { type: 'finish', finishReason, usage: usageOf(call, text) }
}

/** Four characters a token: enough for a demonstration's usage view to move. */
function usageOf(call: LanguageModelV4CallOptions, text: string) {
  const input = Math.ceil(JSON.stringify(call.prompt).length / 4)
  const output = Math.ceil(text.length / 4)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

function readPrompt(prompt: LanguageModelV4Prompt): Omit<ScriptedCall, 'index'> {
  const messages: ModelMessage[] = []
  let system = ''
  for (const message of prompt) {
    if (message.role === 'system') system += message.content
    if (message.role !== 'user' && message.role !== 'assistant') continue
    const texts = message.content.map((part) => (part.type === 'text' ? part.text : ''))
    messages.push({ role: message.role, text: texts.join('') })
  }
  return { system, messages }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
