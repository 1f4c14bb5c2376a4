import type { TokenUsage } from '@ag-ui/core'
import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { isThrown, thrownMessage } from '../json/index.ts'
import { ModelError, exceedsContext } from './model-error.ts'
import type { ModelToolCall } from './model-message.ts'

/** The longest text, reasoning and tool input that one model call may give, in characters. */
export const MODEL_TEXT_MAX = 200_000
/** Tool calls that one model call may ask for. */
export const MODEL_TOOL_CALLS_MAX = 64
export type ModelPart =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly id: string; readonly delta: string }
  /** `encrypted` is the provider's own data about the thought, as JSON. */
  | { readonly type: 'reasoning_end'; readonly id: string; readonly encrypted?: string }
  | {
      readonly type: 'tool_input'
      readonly id: string
      readonly name: string
      readonly delta: string
    }
  | { readonly type: 'tool_call'; readonly call: ModelToolCall }
  | { readonly type: 'finish'; readonly reason: string; readonly usage: TokenUsage }

/** A model of any AI SDK provider package, of the current or the previous interface. */
export type LanguageModel = LanguageModelV4 | LanguageModelV3

/** A part of either interface's stream. Only the tags that are handled below are relied on. */
export type StreamPart = { readonly type: string } & Record<string, unknown>

/** Turns the provider's parts into ours, and keeps their sum in bounds. */
export class PartReader {
  readonly #model: LanguageModel
  readonly #toolNames = new Map<string, string>()
  readonly #thoughts = new Map<string, unknown>()
  #length = 0
  #calls = 0
  #hasProvidersCalls = false
  #hasText = false
  /** The media type of the first file. */
  #file: string | undefined
  /** The text block that was written last, and whether its text ends a line. */
  #block: { readonly id: string; readonly endsLine: boolean } | undefined

  constructor(model: LanguageModel) {
    this.#model = model
  }

  take(part: StreamPart): ModelPart | undefined {
    switch (part.type) {
      case 'text-delta':
        return { type: 'text', delta: this.#text(part) }
      case 'reasoning-delta':
        return this.#reasoning(part)
      case 'reasoning-start':
        this.#keepThought(part)
        return undefined
      case 'reasoning-end':
        return this.#reasoningEnd(part)
      case 'tool-input-start':
        this.#startInput(part)
        return undefined
      case 'tool-input-delta':
        return this.#toolInput(part)
      case 'tool-call':
        return this.#toolCall(part)
      case 'error':
        throw providerFailure(part['error'])
      case 'finish':
        return this.#finish(part)
      case 'file':
        this.#file ??= textIn(part, 'mediaType')
        return undefined
      default:
        return undefined
    }
  }

  #startInput(part: StreamPart): void {
    if (!this.#isProviders(part)) this.#toolNames.set(textIn(part, 'id'), textIn(part, 'toolName'))
  }

  #toolInput(part: StreamPart): ModelPart | undefined {
    const id = textIn(part, 'id')
    const name = this.#toolNames.get(id)
    const delta = this.#delta(part)
    return name === undefined ? undefined : { type: 'tool_input', id, name, delta }
  }

  /** The provider runs these itself; only tools that we run are ours to answer. */
  #isProviders(part: StreamPart): boolean {
    if (part['providerExecuted'] !== true) return false
    this.#hasProvidersCalls = true
    return true
  }

  #finish(part: StreamPart): ModelPart {
    const end = finished(part, this.#model)
    if (this.#calls > 0 || this.#hasProvidersCalls) return end
    if (end.reason === 'tool-calls') {
      throw new ModelError('truncated', 'Cannot finish the model call: its tool calls did not come')
    }
    if (this.#file === undefined || this.#hasText) return end
    const why = `the answer is a file alone (${this.#file}), and agents answer in text`
    const mend = 'ask for words in the instructions, or make the file in a tool'
    throw new ModelError('files_only', `Cannot finish the model call: ${why}; ${mend}`)
  }

  /** Another block is another paragraph: nothing else separates it from the one before. */
  #text(part: StreamPart): string {
    const delta = this.#delta(part)
    if (delta === '') return delta
    this.#hasText ||= delta.trim() !== ''
    const [id, before] = [textIn(part, 'id'), this.#block]
    this.#block = { id, endsLine: delta.endsWith('\n') }
    const isGlued = before !== undefined && before.id !== id && !before.endsLine
    return isGlued && !delta.startsWith('\n') ? `${PARAGRAPH}${delta}` : delta
  }

  #delta(part: StreamPart): string {
    return this.#count(textIn(part, 'delta'))
  }

  #count(text: string): string {
    this.#length += text.length
    if (this.#length > MODEL_TEXT_MAX) {
      throw new ModelError('too_large', `Cannot read more than ${MODEL_TEXT_MAX} characters`)
    }
    return text
  }

  #keepThought(part: StreamPart): void {
    const metadata = part['providerMetadata']
    if (metadata !== undefined) this.#thoughts.set(textIn(part, 'id'), metadata)
  }

  #reasoning(part: StreamPart): ModelPart | undefined {
    this.#keepThought(part)
    const delta = this.#delta(part)
    return delta === '' ? undefined : { type: 'reasoning', id: textIn(part, 'id'), delta }
  }

  #reasoningEnd(part: StreamPart): ModelPart {
    this.#keepThought(part)
    const id = textIn(part, 'id')
    return { type: 'reasoning_end', id, ...encrypted(this.#thoughts.get(id)) }
  }

  #toolCall(part: StreamPart): ModelPart | undefined {
    if (this.#isProviders(part)) return undefined
    if (++this.#calls > MODEL_TOOL_CALLS_MAX) {
      throw new ModelError('too_large', `Cannot take more than ${MODEL_TOOL_CALLS_MAX} tool calls`)
    }
    const id = textIn(part, 'toolCallId')
    const input = textIn(part, 'input')
    if (!this.#toolNames.has(id)) this.#count(input)
    const name = textIn(part, 'toolName')
    const call = { id, name, input, ...encrypted(part['providerMetadata']) }
    return { type: 'tool_call', call }
  }
}

const PARAGRAPH = '\n\n'

function textIn(part: StreamPart, member: string): string {
  const value = part[member]
  return typeof value === 'string' ? value : ''
}

function encrypted(metadata: unknown): { encrypted?: string } {
  return metadata === undefined ? {} : { encrypted: JSON.stringify(metadata) }
}

/** The common members of both interfaces' finish parts. */
interface Finish {
  readonly finishReason?: { readonly unified?: string }
  readonly usage?: {
    readonly inputTokens?: {
      readonly total?: number
      readonly cacheRead?: number
      readonly cacheWrite?: number
    }
    readonly outputTokens?: { readonly total?: number; readonly reasoning?: number }
  }
}

type FinishPart = Extract<ModelPart, { type: 'finish' }>

function finished(part: StreamPart, { provider, modelId }: LanguageModel): FinishPart {
  // Both interfaces promise this shape; a user's mock may leave any of it out.
  const { finishReason, usage } = part as unknown as Finish
  const reason = finishReason?.unified ?? 'other'
  if (reason === 'error' || reason === 'interrupted') {
    throw new ModelError('truncated', `Cannot finish the model call: it ended with "${reason}"`)
  }
  // Providers end with it what the model declined and what their filters cut off: neither is an answer.
  if (reason === 'content-filter') {
    throw new ModelError('refused', 'Cannot finish the model call: the model refused to answer')
  }
  return { type: 'finish', reason, usage: { provider, model: modelId, ...countsIn(usage ?? {}) } }
}

function countsIn({
  inputTokens: input = {},
  outputTokens: output = {},
}: NonNullable<Finish['usage']>): TokenUsage {
  const used: TokenUsage = {}
  const total = (input.total ?? Number.NaN) + (output.total ?? Number.NaN)
  if (isCount(input.total)) used.inputTokens = input.total
  if (isCount(output.total)) used.outputTokens = output.total
  if (isCount(total)) used.totalTokens = total
  if (isCount(output.reasoning)) used.reasoningTokens = output.reasoning
  if (isCount(input.cacheRead)) used.cachedInputTokens = input.cacheRead
  if (isCount(input.cacheWrite)) used.cacheWriteInputTokens = input.cacheWrite
  return used
}

/** The record holds whole numbers; what a provider does not know is left out, never 0. */
function isCount(count: number | undefined): count is number {
  return Number.isSafeInteger(count) && Number(count) >= 0
}

export function providerFailure(error: unknown): ModelError {
  if (isThrown(error, ModelError)) return error
  const message = `Cannot finish the model call: ${thrownMessage(error)}`
  const code = exceedsContext(error) ? 'context_exceeded' : 'provider'
  return new ModelError(code, message, { cause: error })
}
