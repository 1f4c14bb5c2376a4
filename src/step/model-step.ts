import type { TokenUsage } from '@ag-ui/core'
import { ModelError, callModel } from '../models/index.ts'
import type { LanguageModel, ModelCall, ModelPart, ModelToolCall } from '../models/index.ts'
import { discardedResult } from '../activity/index.ts'
import type { GateProposal } from '../gate/index.ts'
import type { ForeignTags } from '../thread/index.ts'
import { equalJson } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import type { Budget, Estimate, Used } from './budget.ts'
import type { CallIds } from './call-ids.ts'
import { DeltaFlow } from './delta-flow.ts'
import { estimateOf, textsOf } from './estimate.ts'
import { modelOutput } from './model-output.ts'
import type { Prices } from './prices.ts'
import { costOf } from './prices.ts'
import { Prose } from './prose.ts'
import { markFailed, stepFinished, stepStarted, subagentMark } from './step-events.ts'

export interface ModelStepRequest {
  readonly model: LanguageModel
  readonly call: ModelCall
  readonly stepName: string
  /** Names the instructions and tools of the call. */
  readonly prompt?: string
  readonly origin: Origin
  readonly id: () => string
  readonly append: (events: readonly NewEvent[]) => Promise<unknown>
  /** `tags` takes events out of the text; `verbatim` shows it as it is. */
  readonly text: 'tags' | 'verbatim'
  /** The tags that came from outside the models. */
  readonly foreignTags: ForeignTags
  readonly calls: CallIds
  readonly prices?: Prices
  /** The budget that this call uses. */
  readonly budget: Budget
  /** The definitions of the call's tools as texts, for its estimate. */
  readonly toolTexts?: readonly string[]
}

export interface ModelStep extends Used {
  /** The model's proposals, in order, with the dropped ones among them; not decided yet. */
  readonly proposals: readonly GateProposal[]
  readonly toolCalls: readonly ModelToolCall[]
  /** The text that people were shown. */
  readonly said: string
  /** The model wrote as much as one call may. */
  readonly cut?: 'length'
  /** The end of the step's records, not appended yet, so that what follows can go with it. */
  readonly tail: readonly NewEvent[]
}

/** Why a step failed. */
export interface StepFailure {
  readonly code: string
  readonly message: string
  /** Whether the same step may well succeed the next time. */
  readonly retryable: boolean
  /** How long the other side asks to be left alone, in milliseconds; 0 when it does not say. */
  readonly retryAfterMs: number
}

/** A failed step: its text and thoughts are on record, none of its calls count. */
export class FailedStep extends Error {
  override readonly name = 'FailedStep'
  readonly failure: StepFailure
  /** The usage of the call, if its provider reported it. */
  readonly used: Used | undefined

  constructor(failure: StepFailure, used?: Used) {
    super(failure.message, { cause: failure })
    this.failure = failure
    this.used = used
  }
}

/**
 * Calls the model once, within its budget. Its text is appended while it arrives; its calls are
 * held until the call has ended without error.
 *
 * @throws {@link FailedStep} after the text so far has been closed and recorded
 * @throws {@link LimitReached} before the call, when the budget has no room for the most it can use
 */
export async function modelStep(request: ModelStepRequest): Promise<ModelStep> {
  const { model, call, prices, toolTexts = [], budget } = request
  const { maxOutputTokens } = call
  const texts = [...toolTexts, ...textsOf(call)]
  const reserved = estimateOf({ model, maxOutputTokens, prices }, texts)
  const reservation = budget.reserve(reserved)
  try {
    const step = await reservedStep(request, reserved)
    reservation.settle(step)
    return step
  } catch (error) {
    const used = error instanceof FailedStep ? error.used : undefined
    reservation.settle(used ?? { usage: { provider: model.provider, model: model.modelId } })
    throw error
  }
}

async function reservedStep(request: ModelStepRequest, reserved: Estimate): Promise<ModelStep> {
  const { origin, append, stepName, prompt, prices } = request
  const started = performance.now()
  const reading = new Reading(request, stepStarted(stepName, origin))
  const read = await reading.read()
  const rest = await reading.close()
  const ended = read.error ? read : reading.requireAnswer(read)
  const elapsedMs = Math.round(performance.now() - started)
  const used = { usage: ended.usage, cost: costOf(ended.usage, prices) }
  const calls = ended.error ? [] : reading.toolCalls.map(({ id }) => id)
  const output = modelOutput({
    origin,
    usage: ended.usage,
    prices,
    reserved,
    more: {
      ...(prompt === undefined ? {} : { prompt }),
      ...reading.prose.raw,
      ...(ended.error ? { error: ended.error.code } : { finishReason: ended.reason }),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      elapsedMs,
    },
  })
  const told = ended.error ? markFailed(rest, ended.error.code) : rest
  const tail = [...told, output, ...reading.discardedCalls(ended.error ? 'failed' : 'repeated')]
  if (ended.error) {
    await append([...tail, stepFinished(stepName, origin)])
    throw new FailedStep(ended.error, used)
  }
  return {
    ...used,
    proposals: reading.prose.proposals,
    toolCalls: reading.toolCalls,
    said: reading.said,
    ...(ended.reason === 'length' && { cut: 'length' }),
    tail,
  }
}

type Ended = { readonly usage: TokenUsage } & (
  | { readonly error: ModelError }
  | { readonly error?: never; readonly reason: string }
)

class Reading {
  readonly toolCalls: ModelToolCall[] = []
  readonly prose: Prose
  readonly #request: ModelStepRequest
  readonly #flow: DeltaFlow
  /** The model's ids of open tool calls → ours, which the thread has not used before. */
  readonly #callIds = new Map<string, string>()
  /** Our ids of all calls that were begun. */
  readonly #begun: string[] = []

  constructor(request: ModelStepRequest, opening: NewEvent) {
    this.#request = request
    this.#flow = new DeltaFlow({ ...request, opening })
    this.prose = new Prose(request)
  }

  async read(): Promise<Ended> {
    const { model, call: given } = this.#request
    const usage = { provider: model.provider, model: model.modelId }
    try {
      for await (const part of callModel(model, given)) {
        if (part.type === 'finish') {
          this.#show(this.prose.end())
          return part
        }
        const call = callIn(part)
        // Only for one that is new: to wait at each part would cost more than the part.
        if (call !== undefined && !this.#callIds.has(call)) await this.#name(call)
        this.#take(part)
      }
      const message = 'Cannot finish the model call: it gave no finish'
      return { usage, error: new ModelError('truncated', message) }
    } catch (error) {
      if (error instanceof ModelError) return { usage, error }
      await this.#flow.end()
      throw error
    }
  }

  get said(): string {
    return this.#flow.said
  }

  /** Thoughts and blanks alone are no answer. */
  requireAnswer(ended: Ended): Ended {
    if (this.said !== '' || this.toolCalls.length + this.prose.proposals.length > 0) return ended
    const message = 'Cannot finish the model call: the answer has no text, no tool call and no tag'
    return { usage: ended.usage, error: new ModelError('empty', message) }
  }

  /** The results of calls that do not count: all of a failed call, or those that came twice. */
  discardedCalls(why: 'failed' | 'repeated'): readonly NewEvent[] {
    const { id, origin } = this.#request
    const counted = new Set(why === 'failed' ? [] : this.toolCalls.map((call) => call.id))
    return this.#begun
      .filter((call) => !counted.has(call))
      .map((toolCallId) =>
        discardedResult({ toolCallId, messageId: id(), ...subagentMark(origin) }, origin, why),
      )
  }

  close(): Promise<readonly NewEvent[]> {
    return this.#flow.end()
  }

  #take(part: Exclude<ModelPart, { type: 'finish' }>): void {
    switch (part.type) {
      case 'text':
        this.#show(this.prose.feed(part.delta))
        return
      case 'reasoning':
        this.#flow.reasoning(part.id, part.delta)
        return
      case 'reasoning_end':
        this.#flow.reasoningEnd(part.id, part.encrypted)
        return
      case 'tool_input':
        this.#flow.toolInput(this.#callId(part.id), part.name, part.delta)
        return
      case 'tool_call': {
        const call = { ...part.call, id: this.#callId(part.call.id) }
        // A tool runs with the recorded input, and a person agrees to the recorded input.
        const recorded = { ...call, input: this.#flow.toolCall(call) }
        if (!this.toolCalls.some((other) => asksTheSame(other, recorded))) {
          this.toolCalls.push(recorded)
        }
        // The same id again is another call.
        this.#callIds.delete(part.call.id)
      }
    }
  }

  async #name(call: string): Promise<void> {
    const fresh = await this.#request.calls.fresh(call)
    this.#callIds.set(call, fresh)
    this.#begun.push(fresh)
  }

  #show(text: string): void {
    if (text !== '') this.#flow.text(text)
  }

  #callId(given: string): string {
    return this.#callIds.get(given) ?? given
  }
}

function callIn(part: ModelPart): string | undefined {
  if (part.type === 'tool_input') return part.id
  return part.type === 'tool_call' ? part.call.id : undefined
}

/** Whether two calls of one answer ask for the same: servers repeat a call under another id. */
function asksTheSame(one: ModelToolCall, other: ModelToolCall): boolean {
  if (one.name !== other.name) return false
  return one.input === other.input || equalJson(valueOf(one), valueOf(other))
}

function valueOf({ input }: ModelToolCall): Json {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(input) as Json
  } catch {
    return input
  }
}
