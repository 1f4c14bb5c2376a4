export interface ChatCall {
  readonly id: string
  readonly type: string
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content?: string | null | readonly ChatPart[]
  readonly reasoning_content?: string
  readonly tool_calls?: readonly ChatCall[]
  readonly tool_call_id?: string
}

export interface ChatPart {
  readonly type: string
  readonly text?: string
}

/** A request of Chat Completions, as OpenAI has it and others speak it. */
export interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly max_tokens?: number
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly {
    readonly type: string
    readonly function: { readonly name: string; readonly parameters: { readonly type?: string } }
  }[]
  readonly tool_choice?: unknown
}

const NAME = /^[\w-]{1,64}$/

/** Why a service that speaks Chat Completions would not take a request. */
export function* chatFaults(request: ChatRequest): Generator<string> {
  const { messages, stream, max_tokens } = request
  if (stream !== true) yield 'this service streams'
  if (!(Number.isInteger(max_tokens) && Number(max_tokens) > 0)) yield 'max_tokens is missing'
  if (messages.length === 0) yield '[] is too short - "messages"'
  yield* toolFaults(request)
  if (messages.at(-1)?.role === 'assistant') yield 'the last message is the assistant’s'
  for (const [at, message] of messages.entries()) {
    if (message.role === 'system' && at > 0) yield `messages.${at}: system comes first`
    yield* contentFaults(message)
  }
  yield* pairFaults(messages)
}

function* toolFaults({ tools, tool_choice }: ChatRequest): Generator<string> {
  if (tools === undefined && tool_choice !== undefined) yield 'tool_choice without tools'
  if (tools?.length === 0) yield '[] is too short - "tools"'
  for (const { type, function: called } of tools ?? []) {
    if (type !== 'function') yield `tools: "${type}" is no function`
    if (!NAME.test(called.name)) yield `tools: "${called.name}" does not match ${NAME.source}`
    if (called.parameters.type !== 'object') yield `${called.name}: schema must be of type "object"`
  }
}

function* contentFaults(message: ChatMessage): Generator<string> {
  const { role, tool_calls: calls } = message
  const text = textOf(message)
  if (role === 'user' && text.trim() === '') yield 'user: content must not be blank'
  if (role === 'tool' && message.content === undefined) yield 'tool: content is missing'
  if (role !== 'assistant') return
  if (calls?.length === 0) yield 'assistant: [] is too short - "tool_calls"'
  if (text.trim() === '' && calls === undefined) yield 'assistant: neither content nor tool_calls'
  for (const call of calls ?? []) yield* callFaults(call)
}

function* callFaults({ id, type, function: { name, arguments: given } }: ChatCall) {
  if (id === '') yield 'tool_calls: an empty id'
  if (type !== 'function') yield `tool_calls: "${type}" is no function`
  if (!NAME.test(name)) yield `tool_calls: "${name}" does not match ${NAME.source}`
  if (typeof JSON.parse(given) !== 'object') yield 'tool_calls: arguments are no JSON object'
}

function* pairFaults(messages: readonly ChatMessage[]): Generator<string> {
  const used = new Set<string>()
  let open: string[] = []
  for (const { role, tool_calls: calls = [], tool_call_id: id = '' } of messages) {
    if (role === 'tool') {
      if (!open.includes(id)) yield `tool: no tool call before it has the id "${id}"`
      open = open.filter((each) => each !== id)
      continue
    }
    if (open.length > 0) yield `no tool messages answer the calls ${open.join()}`
    open = calls.map((call) => call.id)
    for (const each of open) {
      if (used.has(each)) yield `tool_calls: the id ${each} is used twice`
      used.add(each)
    }
  }
  if (open.length > 0) yield `no tool messages answer the calls ${open.join()}`
}

export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text = '' }) => text).join('')
}
