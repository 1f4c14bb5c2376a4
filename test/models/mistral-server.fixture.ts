import { createMistral } from '@ai-sdk/mistral'
import type { ChatRequest } from './chat-rules.fixture.ts'
import { ChatWire } from './chat-wire.fixture.ts'
import type { Dialect } from './chat-wire.fixture.ts'
import type { OpenProvider } from './provider-contract.fixture.ts'
import { modelServer } from './provider-server.fixture.ts'
import type { ModelServer, Script } from './provider-server.fixture.ts'

/** A server on loopback that speaks Mistral's Chat Completions, and is as particular about roles. */
export async function mistralServer(
  reply: Script<ChatRequest>,
): Promise<ModelServer<ChatRequest> & { readonly baseUrl: string }> {
  const server = await modelServer(new ChatWire(new Mistral()), reply)
  return { ...server, baseUrl: `${server.url}/v1` }
}

export const openMistral: OpenProvider = async (reply) => {
  const server = await mistralServer(reply)
  const model = createMistral({ baseURL: server.baseUrl, apiKey: 'not-a-key' })('magistral-medium')
  const perCall = { inputTokens: 100, outputTokens: 20, totalTokens: 120, cachedInputTokens: 60 }
  return { server, model, perCall }
}

/** The roles that may come after each. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  system: ['user'],
  user: ['assistant', 'user'],
  assistant: ['user', 'tool'],
  tool: ['assistant', 'tool'],
}

/** Returns the faults of a request that Mistral refuses and other Chat Completions servers accept. */
export function* mistralFaults({ messages }: ChatRequest): Generator<string> {
  for (const [at, { role, tool_calls: calls = [] }] of messages.entries()) {
    const before = messages[at - 1]?.role ?? 'system'
    if (at > 0 && !AFTER[before]?.includes(role)) {
      yield `Unexpected role '${role}' after role '${before}'`
    }
    const odd = calls.find(({ id }) => !/^[a-z\d]{9}$/i.test(id))
    if (odd) yield `Tool call id was ${odd.id} but must be a-z, A-Z, 0-9, with a length of 9.`
  }
}

class Mistral implements Dialect {
  readonly usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    num_cached_tokens: 60,
  }
  readonly usageFrame = 'with the last'

  callId(count: number): string {
    return `Mist${String(count).padStart(5, '0')}`
  }

  faults(request: ChatRequest): Iterable<string> {
    return mistralFaults(request)
  }

  thought(text: string): object {
    return { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }
  }

  keep(): void {
    // Mistral expects no thoughts in later requests.
  }

  refusal(_status: number, message: string): unknown {
    return { object: 'error', message, type: 'invalid_request_error', param: null, code: null }
  }
}
