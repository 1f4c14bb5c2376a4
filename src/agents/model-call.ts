import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import type { TokenUsage } from '@ag-ui/core'
import { ModelError } from './model-error.ts'

/** A model of any AI SDK provider package, of the current or the previous interface. */
export type LanguageModel = LanguageModelV4 | LanguageModelV3

/** How long one model call may take. */
export const MODEL_CALL_MAX_MS = 60_000
/** The longest text that one model call may give, in characters. */
export const MODEL_TEXT_MAX = 200_000
/** Always sent: a provider's own default can be its largest. */
export const OUTPUT_TOKENS_MAX = 4_096

export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface ModelCall {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

export type ModelPart =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'finish'; readonly reason: string; readonly usage: TokenUsage }

/**
 * Calls a model and yields its text as it comes, then exactly one `finish`. Parts that are neither
 * are skipped: new kinds appear in minor versions of the interface.
 *
 * @throws {@link ModelError} `provider`, `timeout`, `cancelled`, `truncated`, `too_large`
 */
export async function* callModel(
  model: LanguageModel,
  call: ModelCall,
): AsyncGenerator<ModelPart, void, undefined> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? MODEL_CALL_MAX_MS)
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout
  const reader = await open(model, call, signal)
  try {
    yield* readParts(reader, model, signal)
  } finally {
    // The provider must not go on spending once nobody reads; how it takes that is its own affair.
    reader.cancel().catch(ignoreAfterEnd)
  }
}

type StreamPart = { readonly type: string } & Record<string, unknown>

async function open(
  model: LanguageModel,
  call: ModelCall,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<StreamPart>> {
  const { stream } = await whileOpen(
    signal,
    // In a function of its own, since a provider may throw before it gives a promise.
    (async () =>
      model.doStream({
        prompt: [
          { role: 'system', content: call.system },
          ...call.messages.map(({ role, text }) => ({
            role,
            content: [{ type: 'text' as const, text }],
          })),
        ],
        maxOutputTokens: call.maxOutputTokens ?? OUTPUT_TOKENS_MAX,
        ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
        abortSignal: signal,
      }))(),
  )
  // Both interfaces stream tagged objects; only the tags that are handled below are relied on.
  return (stream as ReadableStream<StreamPart>).getReader()
}

async function* readParts(
  reader: ReadableStreamDefaultReader<StreamPart>,
  model: LanguageModel,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  let length = 0
  for (;;) {
    const { done, value: part } = await whileOpen(signal, reader.read())
    if (done) throw new ModelError('truncated', 'Cannot finish the model call: its stream was cut')
    if (part.type === 'text-delta') {
      const delta = String(part['delta'])
      length += delta.length
      if (length > MODEL_TEXT_MAX) {
        throw new ModelError('too_large', `Cannot read more than ${MODEL_TEXT_MAX} characters`)
      }
      yield { type: 'text', delta }
    } else if (part.type === 'error') {
      throw failed(part['error'])
    } else if (part.type === 'finish') {
      yield finished(part, model)
      return
    }
  }
}

async function whileOpen<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted.promise])
  } catch (error) {
    if (!signal.aborted) throw failed(error)
    work.catch(ignoreAfterEnd)
    const timedOut = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    throw timedOut
      ? new ModelError('timeout', 'Cannot finish the model call: it took too long', {
          cause: error,
        })
      : new ModelError('cancelled', 'Cannot finish the model call: it was stopped', {
          cause: error,
        })
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function finished(part: StreamPart, model: LanguageModel): ModelPart {
  // V3 and V4 agree on the shape of `finishReason` and `usage`.
  const { finishReason, usage } = part as unknown as Partial<{
    finishReason: { unified: string }
    usage: { inputTokens?: { total?: number }; outputTokens?: { total?: number } }
  }>
  const reason = finishReason?.unified ?? 'other'
  if (reason === 'error' || reason === 'interrupted') {
    throw new ModelError('truncated', `Cannot finish the model call: it ended with "${reason}"`)
  }
  const { provider, modelId } = model
  const inputTokens = usage?.inputTokens?.total
  const outputTokens = usage?.outputTokens?.total
  return {
    type: 'finish',
    reason,
    usage: {
      provider,
      model: modelId,
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    },
  }
}

function failed(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ModelError('provider', `Cannot finish the model call: ${message}`, { cause: error })
}

function ignoreAfterEnd(): void {
  // The call has already been given up or has ended; a late failure has nobody to concern.
}
