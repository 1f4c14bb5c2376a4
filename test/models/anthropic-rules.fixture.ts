export interface Block {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly content?: unknown
  readonly is_error?: boolean
}

export interface Message {
  readonly role: string
  readonly content: readonly Block[]
}

export interface MessagesRequest {
  readonly model: string
  readonly stream?: boolean
  readonly max_tokens: number
  readonly system?: readonly Block[]
  readonly messages: readonly Message[]
  readonly tools?: readonly { readonly name: string; readonly input_schema: InputSchema }[]
  readonly tool_choice?: unknown
}

type InputSchema = { readonly type?: string } & Readonly<Record<string, unknown>>

const NAME = /^[\w-]{1,128}$/
const ID = /^[\w-]+$/

/** Why the Messages API would not take a request; thoughts are checked by who gave them. */
export function faultOf(request: MessagesRequest): string | undefined {
  const checks = [envelopeFaults, toolFaults, orderFaults, blockFaults, pairFaults]
  for (const check of checks) {
    for (const fault of check(request)) return fault
  }
  return undefined
}

function* envelopeFaults({ max_tokens, system = [], messages }: MessagesRequest) {
  if (!(Number.isInteger(max_tokens) && max_tokens > 0)) yield 'max_tokens: Field required'
  if (messages.length === 0) yield 'messages: at least one message is required'
  if (system.some(({ text }) => text === '')) yield 'system: text content blocks must be non-empty'
}

function* toolFaults({ tools = [], tool_choice, messages }: MessagesRequest) {
  for (const { name, input_schema: schema } of tools) {
    if (!NAME.test(name)) yield `tools.${name}: name does not match ${NAME.source}`
    if (schema.type !== 'object') yield `tools.${name}.input_schema.type: Field required`
    const combined = ['oneOf', 'anyOf', 'allOf'].find((key) => key in schema)
    if (combined !== undefined) yield `tools.${name}.input_schema: no ${combined} at the top level`
  }
  const names = new Set(tools.map(({ name }) => name))
  if (names.size < tools.length) yield 'tools: Tool names must be unique'
  if (names.size > 0) return
  if (tool_choice !== undefined) yield 'tool_choice may only be specified while providing tools'
  const used = messages.some(({ content }) => content.some(({ type }) => type === 'tool_use'))
  if (used) yield 'Requests which include `tool_use` blocks must define tools'
}

function* orderFaults({ messages }: MessagesRequest) {
  const roles = messages.map(({ role }) => role)
  if (roles[0] !== 'user') yield 'messages: first message must use the "user" role'
  if (roles.at(-1) !== 'user') yield 'This model does not support assistant message prefill'
  if (roles.some((role, at) => role === roles[at - 1])) yield 'messages: roles must alternate'
}

function* blockFaults({ messages }: MessagesRequest) {
  for (const [at, { content }] of messages.entries()) {
    if (content.length === 0) yield `messages.${at}: all messages must have non-empty content`
    for (const block of content) {
      const fault = blockFault(block)
      if (fault !== undefined) yield `messages.${at}: ${fault}`
    }
  }
}

function blockFault(block: Block): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text?.trim() ? undefined : 'text content blocks must contain non-whitespace text'
    case 'tool_use':
      return callFault(block)
    case 'tool_result':
      return block.is_error === true && block.content === ''
        ? 'tool_result: content cannot be empty if `is_error` is true'
        : undefined
    case 'thinking':
      return undefined
    default:
      return `"${block.type}" is no block that is sent here`
  }
}

function callFault({ id = '', name = '', input }: Block): string | undefined {
  if (!ID.test(id)) return `tool_use.id: "${id}" does not match ${ID.source}`
  if (!NAME.test(name)) return `tool_use.name: "${name}" does not match ${NAME.source}`
  const fits = typeof input === 'object' && input !== null && !Array.isArray(input)
  return fits ? undefined : 'tool_use.input: Input should be a valid dictionary'
}

function* pairFaults({ messages }: MessagesRequest) {
  const used = new Set<string>()
  for (const [at, { role, content }] of messages.entries()) {
    const asks = at === 0 ? [] : callsOf(messages[at - 1])
    const answers = content.flatMap(({ tool_use_id: id }) => (id === undefined ? [] : [id]))
    const stray = answers.find((id) => role !== 'user' || !asks.includes(id))
    if (stray !== undefined) yield `messages.${at}: unexpected \`tool_use_id\`: ${stray}`
    const open = asks.find((id) => !answers.includes(id))
    if (open !== undefined) yield `messages.${at}: \`tool_use\` without \`tool_result\`: ${open}`
    if (new Set(answers).size < answers.length) yield `messages.${at}: two results for one call`
    const kinds = content.map(({ type }) => type === 'tool_result')
    if (kinds.lastIndexOf(true) >= answers.length) yield `messages.${at}: results come first`
    for (const id of callsOf(messages[at])) {
      if (used.has(id)) yield `messages.${at}: \`tool_use\` ids must be unique: ${id}`
      used.add(id)
    }
  }
}

function callsOf(message: Message | undefined): readonly string[] {
  return (message?.content ?? []).flatMap(({ type, id }) =>
    type === 'tool_use' && id !== undefined ? [id] : [],
  )
}
