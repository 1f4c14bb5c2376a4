import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { ChatMessage, ChatRequest } from './chat-rules.fixture.ts'
import { ChatWire } from './chat-wire.fixture.ts'
import type { Dialect } from './chat-wire.fixture.ts'
import type { OpenProvider } from './provider-contract.fixture.ts'
import { modelServer } from './provider-server.fixture.ts'
import type { ModelServer, Script } from './provider-server.fixture.ts'

/** A server on loopback that speaks Chat Completions as DeepSeek does, whose thoughts are not signed. */
export async function compatibleServer(
  reply: Script<ChatRequest>,
): Promise<ModelServer<ChatRequest> & { readonly baseUrl: string }> {
  const server = await modelServer(new ChatWire(new DeepSeek()), reply)
  return { ...server, baseUrl: `${server.url}/v1` }
}

export const openCompatible: OpenProvider = async (reply) => {
  const server = await compatibleServer(reply)
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: server.baseUrl,
    includeUsage: true,
  })
  const perCall = {
    inputTokens: 100,
    outputTokens: 20,
    totalTokens: 120,
    cachedInputTokens: 60,
    reasoningTokens: 5,
  }
  return { server, model: provider('deepseek-chat'), perCall }
}

class DeepSeek implements Dialect {
  readonly usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 5 },
  }
  readonly usageFrame = 'after the last'
  readonly #thoughts = new Map<string, string>()

  callId(count: number): string {
    return `call_00_${String(count).padStart(20, 'x')}`
  }

  /** Checks that messages since the last user message repeat the thought before their tool calls. */
  *faults({ messages }: ChatRequest): Generator<string> {
    const loop = messages.findLastIndex(({ role }) => role === 'user')
    for (const message of messages.slice(loop + 1)) {
      const { reasoning_content: given = '' } = message
      if (message.role === 'assistant' && given !== this.#thoughtBefore(message)) {
        yield 'Missing `reasoning_content` field in the assistant message'
      }
    }
  }

  thought(reasoning_content: string): object {
    return { content: null, reasoning_content }
  }

  keep(id: string, thought: string): void {
    this.#thoughts.set(id, thought)
  }

  refusal(status: number, message: string): unknown {
    return { error: { message, type: 'invalid_request_error', param: null, code: String(status) } }
  }

  #thoughtBefore({ tool_calls: calls = [] }: ChatMessage): string {
    return [...new Set(calls.map(({ id }) => this.#thoughts.get(id) ?? ''))].join('')
  }
}
