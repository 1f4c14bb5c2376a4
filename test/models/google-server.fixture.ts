import { createGoogle } from '@ai-sdk/google'
import { faultOf, responsesIn } from './google-rules.fixture.ts'
import type { GoogleContent, GooglePart, GoogleRequest } from './google-rules.fixture.ts'
import type { OpenProvider } from './provider-contract.fixture.ts'
import { WHOLE_USAGE, dataFrame, modelServer, pieces } from './provider-server.fixture.ts'
import type { Answer, ModelServer, Part, Script, Wire } from './provider-server.fixture.ts'

/** A server on loopback that speaks the Gemini API's stream, signatures of thoughts included. */
export async function googleServer(
  reply: Script<GoogleRequest>,
): Promise<ModelServer<GoogleRequest> & { readonly baseUrl: string }> {
  const server = await modelServer(new GeminiWire(), reply)
  return { ...server, baseUrl: `${server.url}/v1beta` }
}

export const openGoogle: OpenProvider = async (reply) => {
  const server = await googleServer(reply)
  const model = createGoogle({ baseURL: server.baseUrl, apiKey: 'not-a-key' })(
    'gemini-3-pro-preview',
  )
  return { server, model, perCall: WHOLE_USAGE }
}

const USAGE = {
  promptTokenCount: 100,
  cachedContentTokenCount: 60,
  candidatesTokenCount: 15,
  thoughtsTokenCount: 5,
  totalTokenCount: 120,
}

class GeminiWire implements Wire<GoogleRequest> {
  readonly contentType = 'text/event-stream'
  /** The signature of each call's thoughts, by the call. */
  readonly #signed = new Map<string, string>()
  #calls = 0

  faultOf(request: GoogleRequest): string | undefined {
    return faultOf(request) ?? this.#signatureFault(request.contents)
  }

  systemOf({ systemInstruction }: GoogleRequest): string {
    return (systemInstruction?.parts ?? []).map(({ text }) => text).join('')
  }

  resultsOf({ contents }: GoogleRequest): readonly string[] {
    return responsesIn(contents.at(-1)).map(({ response }) =>
      String(response.content ?? response.error),
    )
  }

  *framesOf(_request: GoogleRequest, { parts, breaks, ends }: Answer): Generator<string> {
    for (const part of this.#parts(parts)) {
      yield dataFrame({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] })
    }
    if (breaks !== undefined) return
    const finishReason = ends === 'refusal' ? 'SAFETY' : 'STOP'
    const content = { role: 'model', parts: [{ text: '' }] }
    yield dataFrame({ candidates: [{ index: 0, content, finishReason }], usageMetadata: USAGE })
  }

  overloaded(): string {
    const error = { code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' }
    return dataFrame({ error })
  }

  refusal(code: number, message: string): unknown {
    return { error: { code, message, status: code >= 500 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT' } }
  }

  *#parts(parts: readonly Part[]): Generator<GooglePart> {
    let first = true
    for (const part of parts) {
      if ('say' in part) for (const text of pieces(part.say)) yield { text }
      else if ('think' in part) {
        for (const text of pieces(part.think)) yield { text, thought: true }
      } else {
        const id = `fc-${++this.#calls}`
        // Only the first of parallel calls is signed.
        const signature = first ? { thoughtSignature: `signed-${id}` } : {}
        if (first) this.#signed.set(id, `signed-${id}`)
        first = false
        yield { functionCall: callOf(id, part), ...signature }
      }
    }
  }

  /** Signatures of the turn that is under way come back where they were. */
  #signatureFault(contents: readonly GoogleContent[]): string | undefined {
    const turn = contents.findLastIndex(
      ({ role, parts }) => role === 'user' && parts.some(({ text }) => text !== undefined),
    )
    for (const { parts } of contents.slice(turn + 1)) {
      const called = parts.find(({ functionCall }) => functionCall !== undefined)
      const expected = this.#signed.get(called?.functionCall?.id ?? '')
      if (called && called.thoughtSignature !== expected) {
        return `Function call ${called.functionCall?.name} is missing a thought_signature`
      }
    }
    return undefined
  }
}

/** Arguments come as an object; those that break off come as the first of several pieces. */
function callOf(id: string, { call: name, input }: Extract<Part, { readonly call: string }>) {
  const broken = typeof input === 'string'
  const piece = { partialArgs: [{ jsonPath: '$.a', numberValue: 2 }], willContinue: true }
  return { id, name, args: input, ...(broken ? { args: undefined, ...piece } : {}) }
}
