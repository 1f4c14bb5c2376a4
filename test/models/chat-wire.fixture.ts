import { chatFaults, textOf } from './chat-rules.fixture.ts'
import type { ChatRequest } from './chat-rules.fixture.ts'
import { dataFrame, pieces } from './provider-server.fixture.ts'
import type { Answer, Part, Wire } from './provider-server.fixture.ts'

/** The differences between services with Chat Completions. */
export interface Dialect {
  /** Returns the service's own objections to a request. */
  faults(request: ChatRequest): Iterable<string>
  callId(count: number): string
  /** A piece of a thought, as a delta. */
  thought(text: string): object
  /** Told which thoughts came before which call. */
  keep(id: string, thought: string): void
  readonly usage: object
  /** Whether usage comes in a chunk of its own after the last, when it was asked for. */
  readonly usageFrame: 'with the last' | 'after the last'
  refusal(status: number, message: string): unknown
}

type Delta = Readonly<Record<string, unknown>>

/** The stream of Chat Completions. */
export class ChatWire implements Wire<ChatRequest> {
  readonly contentType = 'text/event-stream'
  readonly #dialect: Dialect
  #calls = 0
  #answers = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  faultOf(request: ChatRequest): string | undefined {
    for (const fault of chatFaults(request)) return fault
    for (const fault of this.#dialect.faults(request)) return fault
    return undefined
  }

  systemOf({ messages }: ChatRequest): string {
    const [first] = messages
    return first?.role === 'system' ? textOf(first) : ''
  }

  resultsOf({ messages }: ChatRequest): readonly string[] {
    const from = messages.findLastIndex(({ role }) => role !== 'tool')
    return messages.slice(from + 1).map(textOf)
  }

  *framesOf(request: ChatRequest, { parts, breaks, ends }: Answer): Generator<string> {
    const id = `chatcmpl-${++this.#answers}`
    const chunk = (delta: Delta, finish_reason: string | null, more: object = {}) =>
      dataFrame({
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model: request.model,
        choices: [{ index: 0, delta, finish_reason }],
        ...more,
      })
    yield chunk({ role: 'assistant', content: '' }, null)
    for (const delta of this.#deltas(parts)) yield chunk(delta, null)
    if (breaks !== undefined) return
    const reason = parts.some((part) => 'call' in part) ? 'tool_calls' : 'stop'
    const finish = ends === 'refusal' ? 'content_filter' : reason
    const { usage, usageFrame } = this.#dialect
    if (usageFrame === 'with the last') yield chunk({ content: '' }, finish, { usage })
    else {
      yield chunk({}, finish)
      if (request.stream_options?.include_usage === true) yield dataFrame({ choices: [], usage })
    }
    yield 'data: [DONE]\n\n'
  }

  overloaded(): string {
    return dataFrame({ error: { message: 'Overloaded', type: 'server_error', code: '503' } })
  }

  refusal(status: number, message: string): unknown {
    return this.#dialect.refusal(status, message)
  }

  *#deltas(parts: readonly Part[]): Generator<Delta> {
    let index = 0
    let thought = ''
    for (const part of parts) {
      if ('say' in part) for (const content of pieces(part.say)) yield { content }
      else if ('think' in part) {
        thought += part.think
        for (const text of pieces(part.think)) yield { ...this.#dialect.thought(text) }
      } else {
        const id = this.#dialect.callId(++this.#calls)
        this.#dialect.keep(id, thought)
        yield* callDeltas(part, { index: index++, id })
      }
    }
  }
}

function* callDeltas(
  { call: name, input }: Extract<Part, { readonly call: string }>,
  { index, id }: { readonly index: number; readonly id: string },
): Generator<Delta> {
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  const first = { index, id, type: 'function', function: { name, arguments: '' } }
  yield { tool_calls: [first] }
  for (const piece of pieces(json)) {
    yield { tool_calls: [{ index, function: { arguments: piece } }] }
  }
}
