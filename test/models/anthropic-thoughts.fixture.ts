import { isDeepStrictEqual } from 'node:util'
import type { Block, Message, MessagesRequest } from './anthropic-rules.fixture.ts'

interface Thought {
  readonly text: string
  /** The request that it followed: its signature is valid only after the same messages. */
  readonly before: MessagesRequest
}

/**
 * The thoughts that a server has signed. They come back unchanged and whole while their tool loop runs, also
 * under another system prompt. After it they never come back behind a system prompt, tools or messages that
 * are not those they were thought after.
 */
export class GivenThoughts {
  readonly #bySignature = new Map<string, Thought>()
  /** The signatures of the thoughts before a tool call, by the call's id. */
  readonly #byCall = new Map<string, readonly string[]>()

  answering(request: MessagesRequest) {
    const signatures: string[] = []
    return {
      think: (text: string): string => {
        const signature = `signed_${this.#bySignature.size}`
        this.#bySignature.set(signature, { text, before: request })
        signatures.push(signature)
        return signature
      },
      call: (id: string): void => void this.#byCall.set(id, [...signatures]),
    }
  }

  faultOf(request: MessagesRequest): string | undefined {
    const { messages } = request
    const loop = messages.findLastIndex(
      ({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'),
    )
    for (const [at, message] of messages.entries()) {
      const given = thoughtsIn(message)
      const forged = given.some(
        ({ signature, thinking }) => this.#bySignature.get(signature ?? '')?.text !== thinking,
      )
      if (forged) return `messages.${at}: Invalid \`signature\` in \`thinking\` block`
      const signatures = given.map(({ signature }) => signature ?? '')
      const prefix = prefixOf(request, at)
      if (at <= loop && !signatures.every((signature) => this.#isBoundTo(prefix, signature))) {
        return `messages.${at}: The \`thinking\` block is bound to a different conversation`
      }
      if (at > loop && !isDeepStrictEqual(signatures, this.#before(message))) {
        return `messages.${at}: \`thinking\` blocks in the latest assistant message cannot be modified`
      }
    }
    return undefined
  }

  #isBoundTo(prefix: Prefix, signature: string): boolean {
    const given = this.#bySignature.get(signature)
    return given !== undefined && isDeepStrictEqual(prefix, prefixOf(given.before))
  }

  /** Returns the signatures of the thoughts before the tool calls of a message. */
  #before({ content }: Message): readonly string[] {
    const calls = content.filter(({ type }) => type === 'tool_use')
    return [...new Set(calls.flatMap(({ id = '' }) => this.#byCall.get(id) ?? []))]
  }
}

type Prefix = readonly unknown[]

function thoughtsIn({ content }: Message): readonly Block[] {
  return content.filter(({ type }) => type === 'thinking')
}

function prefixOf({ system, tools, messages }: MessagesRequest, end = messages.length): Prefix {
  return [system, tools, messages.slice(0, end)]
}
