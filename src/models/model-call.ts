import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { thrownMessage } from '../json/index.ts'
import { LinkedSignal, isTimeUp, whileOpen } from './linked-signal.ts'
import { ModelError } from './model-error.ts'
import { promptOf } from './model-message.ts'
import type { ModelMessage } from './model-message.ts'
import { PartReader, providerFailure } from './model-part.ts'
import type { LanguageModel, ModelPart, StreamPart } from './model-part.ts'
import { waysOf } from './provider-ways.ts'
import { WrittenThoughts } from './written-thoughts.ts'

/** How long a model may give no part of its answer. */
export const MODEL_SILENCE_MAX_MS = 60_000
/** Always sent: a provider's own default can be its largest. */
export const OUTPUT_TOKENS_MAX = 4_096

export interface ModelCall {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly LanguageModelV4FunctionTool[]
  /** The form of the answer; text without it. */
  readonly responseFormat?: LanguageModelV4CallOptions['responseFormat']
  readonly maxOutputTokens?: number
  readonly temperature?: number
  /** By the name of a provider, as its package reads them. Ours win, without which a history is lost. */
  readonly providerOptions?: SharedV4ProviderOptions
  readonly signal?: AbortSignal
  /** How long the whole call may take, in milliseconds; only its silence is bounded without it. */
  readonly timeoutMs?: number
  /** How long it may give no part, in milliseconds; `MODEL_SILENCE_MAX_MS` without it. */
  readonly silenceMs?: number
}

/**
 * Calls a model and yields its parts as they arrive, then exactly one `finish`. Parts of other kinds
 * are skipped: new ones appear in minor versions of the interface.
 *
 * @throws {@link ModelError} `provider`, `timeout`, `cancelled`, `truncated`, `too_large`, `files_only`, `refused`
 */
export function callModel(
  model: LanguageModel,
  call: ModelCall,
): AsyncIterableIterator<ModelPart, undefined> {
  return new ModelStream(model, call)
}

type Step = IteratorResult<ModelPart, undefined>

/** Not a generator: that would wait three ticks more for each part. */
class ModelStream implements AsyncIterableIterator<ModelPart, undefined> {
  readonly #model: LanguageModel
  readonly #call: ModelCall
  readonly #parts: PartReader
  readonly #thoughts = new WrittenThoughts()
  /** Parts that came with the one before them. */
  #ready: ModelPart[] = []
  #limit: LinkedSignal | undefined
  #reader: StreamReader | undefined
  #ended = false

  constructor(model: LanguageModel, call: ModelCall) {
    this.#model = model
    this.#call = call
    this.#parts = new PartReader(model)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<Step> {
    if (this.#ended) return DONE
    const ready = this.#ready.shift()
    if (ready) return this.#given(ready)
    const limit = (this.#limit ??= this.#begin())
    const { signal } = limit
    try {
      this.#reader ??= await open(this.#model, this.#call, limit)
      for (;;) {
        // Also before the first reading: it may have been stopped since the stream was opened.
        signal.throwIfAborted()
        const { done, value } = await this.#reader.read()
        signal.throwIfAborted()
        limit.heard()
        if (done) throw cut()
        const part = this.#read(value)
        if (part) return this.#given(part)
      }
    } catch (error) {
      this.#end()
      throw signal.aborted ? stopped(signal) : providerFailure(error)
    }
  }

  /** The next of our parts that a provider's part brings. */
  #read(value: StreamPart): ModelPart | undefined {
    const part = this.#parts.take(value)
    if (!part || this.#thoughts.isOver) return part
    this.#ready = [...this.#thoughts.take(part)]
    return this.#ready.shift()
  }

  async return(): Promise<Step> {
    this.#end()
    return DONE
  }

  #given(part: ModelPart): Step {
    if (part.type === 'finish') this.#end()
    return { done: false, value: part }
  }

  #begin(): LinkedSignal {
    const { signal, timeoutMs, silenceMs = MODEL_SILENCE_MAX_MS } = this.#call
    const limit = new LinkedSignal(signal, timeoutMs)
    limit.endAfterSilence(silenceMs)
    limit.onAbort(this.#stop)
    return limit
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#limit?.release()
    // The provider must stop spending once the reader has left.
    this.#stop()
  }

  /** Settles a read that is under way, so a provider that ignores the signal cannot hold us. */
  readonly #stop = (): void => {
    // A failure after the end has no effect.
    this.#reader?.cancel().catch(() => undefined)
  }
}

const DONE: Step = Object.freeze({ done: true, value: undefined })

type StreamReader = ReadableStreamDefaultReader<StreamPart>

async function open(
  model: LanguageModel,
  call: ModelCall,
  limit: LinkedSignal,
): Promise<StreamReader> {
  const { system, messages, tools = [], maxOutputTokens = OUTPUT_TOKENS_MAX } = call
  const { temperature, responseFormat, providerOptions } = call
  // What they take differs in files alone, which are given in the form of the model's version.
  const either = model as LanguageModelV4
  const ways = waysOf(model)
  // Asynchronous, since a provider may throw before it gives a promise.
  const { stream } = await whileOpen(limit, async () =>
    either.doStream({
      prompt: promptOf(system, messages, ways),
      maxOutputTokens,
      ...(temperature === undefined ? {} : { temperature }),
      ...(responseFormat && { responseFormat }),
      ...(tools.length === 0 ? {} : { tools: [...tools], toolChoice: { type: 'auto' } }),
      ...withOptions(providerOptions, ways.options),
      abortSignal: limit.signal,
    }),
  )
  // Both interfaces stream tagged objects; only the tags that are handled below are relied on.
  return (stream as ReadableStream<StreamPart>).getReader()
}

function withOptions(
  given: SharedV4ProviderOptions | undefined,
  ours: SharedV4ProviderOptions | undefined,
): { readonly providerOptions?: SharedV4ProviderOptions } {
  if (!given) return ours ? { providerOptions: ours } : {}
  const merged = Object.entries(ours ?? {}).map(([name, of]) => [name, { ...given[name], ...of }])
  return { providerOptions: { ...given, ...Object.fromEntries(merged) } }
}

function cut(): ModelError {
  return new ModelError('truncated', 'Cannot finish the model call: its stream was cut')
}

function stopped(signal: AbortSignal): ModelError {
  const { reason: cause } = signal as { readonly reason: unknown }
  return isTimeUp(signal)
    ? new ModelError('timeout', `Cannot finish the model call: ${thrownMessage(cause)}`, { cause })
    : new ModelError('cancelled', 'Cannot finish the model call: it was stopped', { cause })
}
