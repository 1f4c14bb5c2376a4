import { createOpenAI } from '@ai-sdk/openai'
import { faultOf, textOf } from './openai-rules.fixture.ts'
import type { ResponsesRequest } from './openai-rules.fixture.ts'
import type { OpenProvider } from './provider-contract.fixture.ts'
import { WHOLE_USAGE, dataFrame, modelServer, pieces } from './provider-server.fixture.ts'
import type { Answer, ModelServer, Part, Script, Wire } from './provider-server.fixture.ts'

/** A server on loopback that speaks the Responses API's stream, and keeps nothing. */
export async function openaiServer(
  reply: Script<ResponsesRequest>,
): Promise<ModelServer<ResponsesRequest> & { readonly baseUrl: string }> {
  const server = await modelServer(new ResponsesWire(), reply)
  return { ...server, baseUrl: `${server.url}/v1` }
}

export const openOpenAI: OpenProvider = async (reply) => {
  const server = await openaiServer(reply)
  const model = createOpenAI({ baseURL: server.baseUrl, apiKey: 'not-a-key' })('gpt-5.2')
  return { server, model, perCall: WHOLE_USAGE }
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
}

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>

class ResponsesWire implements Wire<ResponsesRequest> {
  readonly contentType = 'text/event-stream'
  /** The thoughts that were sealed, by their seal. */
  readonly #sealed = new Map<string, { readonly id: string; readonly summary: string }>()
  #items = 0
  #sequence = 0

  faultOf(request: ResponsesRequest): string | undefined {
    const broken = request.input.find(
      ({ type, id, encrypted_content: seal = '', summary = [] }) => {
        const given = this.#sealed.get(seal)
        const text = summary.map((part) => part.text).join('')
        return type === 'reasoning' && !(given?.id === id && given?.summary === text)
      },
    )
    if (broken) return `The encrypted content for item ${broken.id} could not be verified`
    return faultOf(request)
  }

  systemOf({ input }: ResponsesRequest): string {
    const [first] = input
    return first && ['developer', 'system'].includes(first.role ?? '') ? textOf(first) : ''
  }

  resultsOf({ input }: ResponsesRequest): readonly string[] {
    const from = input.findLastIndex(({ type }) => type !== 'function_call_output')
    return input.slice(from + 1).map(({ output = '' }) => output)
  }

  *framesOf(request: ResponsesRequest, answer: Answer): Generator<string> {
    for (const event of this.#events(request, answer)) yield this.#frame(event)
  }

  overloaded(): string {
    const error = { code: 'server_error', message: 'The server had an error', param: null }
    return this.#frame({ type: 'error', ...error })
  }

  refusal(status: number, message: string): unknown {
    const type = status >= 500 ? 'server_error' : 'invalid_request_error'
    return { error: { message, type, param: null, code: null } }
  }

  #frame(event: StreamEvent): string {
    return `event: ${event.type}\n${dataFrame({ ...event, sequence_number: this.#sequence++ })}`
  }

  *#events(request: ResponsesRequest, { parts, breaks, ends }: Answer): Generator<StreamEvent> {
    const { model } = request
    const response = { id: `resp_${this.#items}`, object: 'response', created_at: 1, model }
    yield { type: 'response.created', response: { ...response, status: 'in_progress' } }
    yield { type: 'response.in_progress', response: { ...response, status: 'in_progress' } }
    for (const [output_index, part] of parts.entries()) {
      const open = breaks !== undefined && output_index === parts.length - 1
      const item = this.#item(part, request, { output_index, refused: ends === 'refusal' })
      for (const event of item) {
        if (!(open && event.type === 'response.output_item.done')) yield event
      }
    }
    if (breaks !== undefined) return
    const completed = { ...response, status: 'completed', usage: USAGE, incomplete_details: null }
    yield { type: 'response.completed', response: completed }
  }

  *#item(
    part: Part,
    request: ResponsesRequest,
    place: { readonly output_index: number; readonly refused: boolean },
  ): Generator<StreamEvent> {
    const { output_index } = place
    const number = ++this.#items
    if ('say' in part) {
      const item = { id: `msg_${number}`, type: 'message', role: 'assistant', content: [] }
      yield { type: 'response.output_item.added', output_index, item }
      const type = place.refused ? 'response.refusal.delta' : 'response.output_text.delta'
      for (const delta of pieces(part.say)) {
        yield { type, item_id: item.id, output_index, content_index: 0, delta }
      }
      yield { type: 'response.output_item.done', output_index, item }
    } else if ('think' in part) {
      yield* this.#thought(part.think, request, { output_index, id: `rs_${number}` })
    } else {
      const json = typeof part.input === 'string' ? part.input : JSON.stringify(part.input)
      const call = { type: 'function_call', call_id: `call_${number}`, name: part.call }
      const item = { id: `fc_${number}`, ...call, arguments: '', status: 'in_progress' }
      yield { type: 'response.output_item.added', output_index, item }
      for (const delta of pieces(json)) {
        const type = 'response.function_call_arguments.delta'
        yield { type, item_id: item.id, output_index, delta }
      }
      const done = { ...item, arguments: json, status: 'completed' }
      yield { type: 'response.output_item.done', output_index, item: done }
    }
  }

  *#thought(
    summary: string,
    { include = [] }: ResponsesRequest,
    { output_index, id }: { readonly output_index: number; readonly id: string },
  ): Generator<StreamEvent> {
    const seal = `sealed_${this.#sealed.size}`
    this.#sealed.set(seal, { id, summary })
    const item = { id, type: 'reasoning', summary: [] }
    const at = { item_id: id, output_index }
    yield { type: 'response.output_item.added', output_index, item }
    // The summary arrives in parts, of which only the last has the seal.
    const halves = summary === '' ? [] : [summary.slice(0, 2), summary.slice(2)]
    for (const [summary_index, half] of halves.filter(Boolean).entries()) {
      yield { type: 'response.reasoning_summary_part.added', ...at, summary_index }
      yield { type: 'response.reasoning_summary_text.delta', ...at, summary_index, delta: half }
      yield { type: 'response.reasoning_summary_part.done', ...at, summary_index }
    }
    const sealed = include.includes('reasoning.encrypted_content')
    const done = { ...item, ...(sealed ? { encrypted_content: seal } : {}) }
    yield { type: 'response.output_item.done', output_index, item: done }
  }
}
