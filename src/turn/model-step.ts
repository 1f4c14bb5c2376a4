import type { TokenUsage } from '@ag-ui/core'
import { ModelError, callModel } from '../agents/index.ts'
import type { LanguageModel, ModelMessage } from '../agents/index.ts'
import { agentEvent, customEvent } from '../agui/index.ts'
import type { GateProposal } from '../gate/index.ts'
import { AgentStreamParser } from '../inline/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import { isEcho } from './echo.ts'
import { TextFlow } from './text-flow.ts'

export interface ModelStepRequest {
  readonly model: LanguageModel
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly typedTags: readonly string[]
  readonly origin: Origin
  readonly id: () => string
  readonly append: (events: readonly NewEvent[]) => Promise<unknown>
  readonly signal?: AbortSignal
}

export interface ModelStep {
  readonly usage: TokenUsage
  /** What the model proposed, in order, with what was dropped among it; not decided yet. */
  readonly proposals: readonly GateProposal[]
}

/**
 * Calls the model once. Its prose is appended while it comes; its proposals are held until the call has
 * ended without error.
 *
 * @throws {@link ModelError} after what was said has been closed and recorded
 */
export async function modelStep(request: ModelStepRequest): Promise<ModelStep> {
  const { origin, append } = request
  const stepName = `model:${origin.attempt ?? 1}`
  await append([agentEvent('STEP_STARTED', { stepName }, origin)])
  const reading = new Reading(request)
  const ended = await reading.read()
  const output = customEvent('model_output', { text: reading.raw, ...ended.note }, origin)
  await append([output, agentEvent('STEP_FINISHED', { stepName }, origin)])
  if (ended.error) throw ended.error
  return { usage: ended.usage, proposals: reading.proposals }
}

type Ended =
  | { readonly error: ModelError; readonly note: { readonly error: string } }
  | {
      readonly error?: never
      readonly usage: TokenUsage
      readonly note: { readonly finishReason: string }
    }

class Reading {
  raw = ''
  readonly #found: { readonly at: number; readonly proposal: GateProposal }[] = []
  #searchFrom = 0
  readonly #request: ModelStepRequest
  readonly #parser = new AgentStreamParser()
  readonly #flow: TextFlow

  constructor(request: ModelStepRequest) {
    this.#request = request
    const { append, origin, id } = request
    this.#flow = new TextFlow({ append, origin, messageId: id() })
  }

  /** In the order of the text, which the parser's two lists do not keep between them. */
  get proposals(): readonly GateProposal[] {
    return this.#found.toSorted((one, other) => one.at - other.at).map(({ proposal }) => proposal)
  }

  async read(): Promise<Ended> {
    try {
      return await this.#readParts()
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return { error, note: { error: error.code } }
    } finally {
      await this.#flow.end()
    }
  }

  async #readParts(): Promise<Ended> {
    const { model, system, messages, signal } = this.#request
    const call = { system, messages, ...(signal ? { signal } : {}) }
    for await (const part of callModel(model, call)) {
      if (part.type === 'text') {
        this.raw += part.delta
        this.#take(this.#parser.feed(part.delta))
      } else {
        this.#take(this.#parser.flush())
        return { usage: part.usage, note: { finishReason: part.reason } }
      }
    }
    throw new ModelError('truncated', 'Cannot finish the model call: it gave no finish')
  }

  #take(parsed: ReturnType<AgentStreamParser['feed']>): void {
    if (parsed.displayText !== '') this.#flow.push(parsed.displayText)
    const { origin, id, typedTags } = this.#request
    for (const [index, event] of parsed.events.entries()) {
      const raw = parsed.raw[index] ?? ''
      const echo = isEcho({ ...event, raw }, typedTags)
      const detail = 'a person wrote this tag; only the model may propose with one'
      const refused = echo ? { refused: { refused: 'echoed' as const, detail } } : {}
      const at = this.raw.indexOf(raw, this.#searchFrom)
      this.#searchFrom = at + raw.length
      this.#found.push({ at, proposal: { ...event, id: id(), origin, raw, ...refused } })
    }
    for (const { reason, raw, type = '', length, offset } of parsed.dropped) {
      const refused = {
        refused: reason,
        detail: `a tag of ${length} characters could not be read`,
      }
      this.#found.push({
        at: offset,
        proposal: { id: id(), type, data: null, origin, raw, refused },
      })
    }
  }
}
