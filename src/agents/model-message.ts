import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'

/** A tool call as a model made it. `input` is JSON if the model gave JSON. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  readonly input: string
  /** The provider's own data about the call, to be given back unread; JSON. */
  readonly encrypted?: string
}

export interface ModelReasoning {
  readonly text: string
  /** The provider's own data about the thought, to be given back unread; JSON. */
  readonly encrypted?: string
}

/** One message of what a model is given. Tool messages answer the calls of the assistant's before them. */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly reasoning?: readonly ModelReasoning[]
      readonly toolCalls?: readonly ModelToolCall[]
    }
  | {
      readonly role: 'tool'
      readonly text: string
      readonly toolCallId: string
      readonly toolName: string
      readonly failed: boolean
    }

/** Puts instructions and messages into the provider interface's form. Pure. */
export function promptOf(system: string, messages: readonly ModelMessage[]): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = []
  if (system !== '') prompt.push({ role: 'system', content: system })
  for (const message of messages) {
    const last = prompt.at(-1)
    const next = messageOf(message)
    // Answers to calls that were made at once belong to one message.
    if (next.role === 'tool' && last?.role === 'tool') last.content.push(...next.content)
    else prompt.push(next)
  }
  return prompt
}

function messageOf(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] }
    case 'assistant':
      return assistantMessage(message)
    case 'tool': {
      const { toolCallId, toolName, text, failed } = message
      const output = { type: failed ? ('error-text' as const) : ('text' as const), value: text }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
  }
}

function assistantMessage(
  message: ModelMessage & { readonly role: 'assistant' },
): LanguageModelV4Message {
  const { text, reasoning = [], toolCalls = [] } = message
  return {
    role: 'assistant',
    content: [
      ...reasoning.map((thought) => ({
        type: 'reasoning' as const,
        text: thought.text,
        ...optionsOf(thought),
      })),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...toolCalls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.id,
        toolName: call.name,
        input: inputOf(call),
        ...optionsOf(call),
      })),
    ],
  }
}

function optionsOf({ encrypted }: { readonly encrypted?: string }): {
  providerOptions?: SharedV4ProviderOptions
} {
  // It was stored as the provider gave it.
  return encrypted === undefined
    ? {}
    : { providerOptions: JSON.parse(encrypted) as SharedV4ProviderOptions }
}

/** A model's broken JSON is told back to it as text: providers take only objects here. */
function inputOf({ input }: ModelToolCall): unknown {
  try {
    const value: unknown = JSON.parse(input === '' ? '{}' : input)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? value : { malformed: input }
  } catch {
    return { malformed: input }
  }
}
