import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { ProviderWays } from './provider-ways.ts'

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

/** A file as its bytes in base64, or as an address that the provider reads itself. */
export interface ModelFile {
  /** Such as `image/png`; `image` where only its kind is known. */
  readonly mediaType: string
  readonly data: { readonly base64: string } | { readonly url: string }
}

/** One message of a model's prompt. Tool messages answer the calls of the assistant message before them. */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly files?: readonly ModelFile[] }
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

const ANY_WAY: ProviderWays = { afterResult: 'anyone', thoughts: 'signed', files: 'v4' }
/** The text of an empty assistant message, where a provider requires one. */
const UNSAID = '[I said nothing here.]'

/** Puts instructions and messages into the provider interface's form, as a provider wants them. Pure. */
export function promptOf(
  system: string,
  messages: readonly ModelMessage[],
  ways: ProviderWays = ANY_WAY,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = []
  const idOf = callIds(messages, ways)
  if (system !== '') prompt.push({ role: 'system', content: system })
  for (const message of messages) {
    const last = prompt.at(-1)
    const next = messageOf(message, ways, idOf)
    // Answers to calls that were made at once belong to one message.
    if (next.role === 'tool' && last?.role === 'tool') last.content.push(...next.content)
    else {
      if (next.role === 'user' && last?.role === 'tool' && ways.afterResult === 'the assistant') {
        prompt.push({ role: 'assistant', content: [{ type: 'text', text: UNSAID }] })
      }
      prompt.push(next)
    }
  }
  return prompt
}

/** Ids that a provider takes: a call's own, or one made from its place, the same in every request. */
function callIds(
  messages: readonly ModelMessage[],
  { callIds: fitting }: ProviderWays,
): (id: string) => string {
  if (!fitting) return (id) => id
  const ours = new Map<string, string>()
  for (const message of messages) {
    for (const { id } of message.role === 'assistant' ? (message.toolCalls ?? []) : []) {
      if (!fitting.test(id)) ours.set(id, String(ours.size).padStart(9, '0'))
    }
  }
  return (id) => ours.get(id) ?? id
}

function messageOf(
  message: ModelMessage,
  ways: ProviderWays,
  idOf: (id: string) => string,
): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userContent(message, ways) }
    case 'assistant':
      return assistantMessage(message, ways, idOf)
    case 'tool': {
      const { toolName, text, failed } = message
      const output = { type: failed ? ('error-text' as const) : ('text' as const), value: text }
      const toolCallId = idOf(message.toolCallId)
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
  }
}

function userContent(
  { text, files = [] }: ModelMessage & { readonly role: 'user' },
  { files: form }: ProviderWays,
): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  const parts = files.map((file) => filePart(file, form))
  // Providers refuse an empty text.
  return text === '' && parts.length > 0 ? parts : [{ type: 'text', text }, ...parts]
}

function filePart({ mediaType, data }: ModelFile, form: ProviderWays['files']) {
  const isBytes = 'base64' in data
  if (form === 'v4') {
    const tagged = isBytes
      ? { type: 'data' as const, data: data.base64 }
      : { type: 'url' as const, url: new URL(data.url) }
    return { type: 'file' as const, mediaType, data: tagged }
  }
  const isKind = !mediaType.includes('/')
  const part = {
    type: 'file',
    mediaType: isKind ? `${mediaType}/*` : mediaType,
    data: isBytes ? data.base64 : new URL(data.url),
  }
  // A prompt of the older interface differs in nothing else.
  return part as unknown as LanguageModelV4FilePart
}

function assistantMessage(
  message: ModelMessage & { readonly role: 'assistant' },
  ways: ProviderWays,
  idOf: (id: string) => string,
): LanguageModelV4Message {
  const { text, reasoning = [], toolCalls = [] } = message
  const thoughts = reasoning.filter(({ encrypted }) => goesBack(encrypted, ways.thoughts))
  return {
    role: 'assistant',
    content: [
      ...thoughts.map((thought) => ({
        type: 'reasoning' as const,
        // Packages leave out an empty thought that another provider signed; a blank one they would send.
        text: thought.text.trim() === '' ? '' : thought.text,
        ...optionsOf(thought),
      })),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...toolCalls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: idOf(call.id),
        toolName: call.name,
        input: inputOf(call),
        ...optionsOf(call),
      })),
    ],
  }
}

function goesBack(signature: string | undefined, wanted: ProviderWays['thoughts']): boolean {
  return wanted === 'all' || (wanted === 'signed' && signature !== undefined)
}

function optionsOf({ encrypted }: { readonly encrypted?: string }): {
  providerOptions?: SharedV4ProviderOptions
} {
  // Stored unchanged from the provider.
  return encrypted === undefined
    ? {}
    : { providerOptions: JSON.parse(encrypted) as SharedV4ProviderOptions }
}

/** Wraps input that is no JSON object, because providers accept only objects here. */
function inputOf({ input }: ModelToolCall): unknown {
  try {
    const value: unknown = JSON.parse(input === '' ? '{}' : input)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? value : { malformed: input }
  } catch {
    return { malformed: input }
  }
}
