import type {
  LanguageModelV3,
  LanguageModelV4,
  LanguageModelV4FunctionTool,
} from '@ai-sdk/provider'
import { LinkedSignal, isTimeUp } from './linked-signal.ts'
import { ModelError } from './model-error.ts'
import { promptOf } from './model-message.ts'
import type { ModelMessage } from './model-message.ts'
import { PartReader, providerFailure } from './model-part.ts'
import type { ModelPart, StreamPart } from './model-part.ts'

/** A model of any AI SDK provider package, of the current or the previous interface. */
export type LanguageModel = LanguageModelV4 | LanguageModelV3

/** How long one model call may take. */
export const MODEL_CALL_MAX_MS = 60_000
/** Always sent: a provider's own default can be its largest. */
export const OUTPUT_TOKENS_MAX = 4_096

export interface ModelCall {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly LanguageModelV4FunctionTool[]
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/**
 * Calls a model and yields what it gives as it comes, then exactly one `finish`. Parts of other kinds
 * are skipped: new ones appear in minor versions of the interface.
 *
 * @throws {@link ModelError} `provider`, `timeout`, `cancelled`, `truncated`, `too_large`
 */
export async function* callModel(
  model: LanguageModel,
  call: ModelCall,
): AsyncGenerator<ModelPart, void, undefined> {
  const limit = new LinkedSignal(call.signal, call.timeoutMs ?? MODEL_CALL_MAX_MS)
  const { signal } = limit
  const parts = new PartReader(model)
  let reader: StreamReader | undefined
  // Cancelling settles a read that is under way, so a provider that ignores the signal cannot hold us.
  const stop = (): void => void reader?.cancel().catch(ignoreAfterEnd)
  signal.addEventListener('abort', stop)
  try {
    reader = await open(model, call, signal)
    // It may have been stopped since the stream was opened.
    if (signal.aborted) stop()
    // One generator reads and yields: handed through a second, a part would cost several ticks more.
    for (;;) {
      const part = parts.take(await nextPart(reader, signal))
      if (!part) continue
      yield part
      if (part.type === 'finish') return
    }
  } finally {
    limit.release()
    // The provider must not go on spending once nobody reads.
    stop()
  }
}

type StreamReader = ReadableStreamDefaultReader<StreamPart>

async function open(
  model: LanguageModel,
  call: ModelCall,
  signal: AbortSignal,
): Promise<StreamReader> {
  const { system, messages, tools = [], maxOutputTokens, temperature } = call
  // We send no files, in which alone what the two interfaces take differs.
  const either = model as LanguageModelV4
  const work = (async () =>
    // In a function of its own, since a provider may throw before it gives a promise.
    either.doStream({
      prompt: promptOf(system, messages),
      maxOutputTokens: maxOutputTokens ?? OUTPUT_TOKENS_MAX,
      ...(temperature === undefined ? {} : { temperature }),
      ...(tools.length === 0 ? {} : { tools: [...tools], toolChoice: { type: 'auto' } }),
      abortSignal: signal,
    }))()
  const { stream } = await whileOpen(signal, work)
  // Both interfaces stream tagged objects; only the tags that are handled below are relied on.
  return (stream as ReadableStream<StreamPart>).getReader()
}

async function nextPart(reader: StreamReader, signal: AbortSignal): Promise<StreamPart> {
  try {
    const { done, value } = await reader.read()
    if (!signal.aborted && !done) return value
  } catch (error) {
    if (!signal.aborted) throw providerFailure(error)
  }
  if (signal.aborted) throw stopped(signal)
  throw new ModelError('truncated', 'Cannot finish the model call: its stream was cut')
}

async function whileOpen<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted.promise])
  } catch (error) {
    if (!signal.aborted) throw providerFailure(error)
    work.catch(ignoreAfterEnd)
    throw stopped(signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function stopped(signal: AbortSignal): ModelError {
  const cause: unknown = signal.reason
  return isTimeUp(signal)
    ? new ModelError('timeout', 'Cannot finish the model call: it took too long', { cause })
    : new ModelError('cancelled', 'Cannot finish the model call: it was stopped', { cause })
}

function ignoreAfterEnd(): void {
  // The call has already been given up or has ended; a late failure has nobody to concern.
}
