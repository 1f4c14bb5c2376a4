import { createAnthropic } from '@ai-sdk/anthropic'
import { faultOf } from './anthropic-rules.fixture.ts'
import type { MessagesRequest } from './anthropic-rules.fixture.ts'
import { GivenThoughts } from './anthropic-thoughts.fixture.ts'
import type { OpenProvider } from './provider-contract.fixture.ts'
import { modelServer, pieces } from './provider-server.fixture.ts'
import type { Answer, ModelServer, Part, Script, Wire } from './provider-server.fixture.ts'

/** A server on loopback that speaks the Messages API's stream, as strictly as a model of today does. */
export async function anthropicServer(
  reply: Script<MessagesRequest>,
): Promise<ModelServer<MessagesRequest> & { readonly baseUrl: string }> {
  const server = await modelServer(new MessagesWire(), reply)
  return { ...server, baseUrl: `${server.url}/v1` }
}

export const openAnthropic: OpenProvider = async (reply) => {
  const server = await anthropicServer(reply)
  const model = createAnthropic({ baseURL: server.baseUrl, apiKey: 'not-a-key' })(
    'claude-sonnet-5-5',
  )
  const perCall = {
    inputTokens: 100,
    outputTokens: 20,
    totalTokens: 120,
    cachedInputTokens: 60,
    cacheWriteInputTokens: 10,
  }
  return { server, model, perCall }
}

const USAGE = { input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 }

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>

class MessagesWire implements Wire<MessagesRequest> {
  readonly contentType = 'text/event-stream'
  readonly #thoughts = new GivenThoughts()
  #calls = 0
  #messages = 0

  faultOf(request: MessagesRequest): string | undefined {
    return faultOf(request) ?? this.#thoughts.faultOf(request)
  }

  systemOf({ system = [] }: MessagesRequest): string {
    return system.map(({ text }) => text).join('')
  }

  resultsOf({ messages }: MessagesRequest): readonly string[] {
    return (messages.at(-1)?.content ?? []).flatMap(({ type, content }) =>
      type === 'tool_result' ? [String(content)] : [],
    )
  }

  *framesOf(request: MessagesRequest, answer: Answer): Generator<string> {
    for (const event of this.#events(request, answer)) yield frame(event)
  }

  overloaded(): string {
    return frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
  }

  refusal(status: number, message: string): unknown {
    const type = status === 529 ? 'overloaded_error' : 'invalid_request_error'
    return { type: 'error', error: { type, message }, request_id: 'req_1' }
  }

  *#events(request: MessagesRequest, { parts, breaks, ends }: Answer): Generator<StreamEvent> {
    const id = `msg_${++this.#messages}`
    const usage = { ...USAGE, output_tokens: 1 }
    const message = { id, type: 'message', role: 'assistant', model: request.model, content: [] }
    yield { type: 'message_start', message: { ...message, usage } }
    yield { type: 'ping' }
    const opened = this.#thoughts.answering(request)
    for (const [index, part] of parts.entries()) {
      yield* this.#block(part, index, opened)
      if (breaks === undefined || index < parts.length - 1) {
        yield { type: 'content_block_stop', index }
      }
    }
    if (breaks !== undefined) return
    const stop_reason = ends ?? (parts.some((part) => 'call' in part) ? 'tool_use' : 'end_turn')
    const delta = { stop_reason, stop_sequence: null }
    yield { type: 'message_delta', delta, usage: { output_tokens: 20 } }
    yield { type: 'message_stop' }
  }

  *#block(
    part: Part,
    index: number,
    answering: ReturnType<GivenThoughts['answering']>,
  ): Generator<StreamEvent> {
    const start = (content_block: object): StreamEvent => ({
      type: 'content_block_start',
      index,
      content_block,
    })
    const give = (delta: object): StreamEvent => ({ type: 'content_block_delta', index, delta })
    if ('say' in part) {
      yield start({ type: 'text', text: '' })
      for (const text of pieces(part.say)) yield give({ type: 'text_delta', text })
    } else if ('think' in part) {
      yield start({ type: 'thinking', thinking: '', signature: '' })
      for (const thinking of pieces(part.think)) yield give({ type: 'thinking_delta', thinking })
      yield give({ type: 'signature_delta', signature: answering.think(part.think) })
    } else {
      const id = `toolu_${++this.#calls}`
      answering.call(id)
      yield start({ type: 'tool_use', id, name: part.call, input: {} })
      const json = typeof part.input === 'string' ? part.input : JSON.stringify(part.input)
      yield give({ type: 'input_json_delta', partial_json: '' })
      for (const partial_json of pieces(json)) {
        yield give({ type: 'input_json_delta', partial_json })
      }
    }
  }
}

function frame(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
