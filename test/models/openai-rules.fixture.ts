export interface InputItem {
  readonly type?: string
  readonly role?: string
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[]
  readonly id?: string
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly output?: string
  readonly encrypted_content?: string
  readonly summary?: readonly { readonly text: string }[]
}

export interface ResponsesRequest {
  readonly model: string
  readonly stream?: boolean
  readonly store?: boolean
  readonly include?: readonly string[]
  readonly max_output_tokens?: number
  readonly input: readonly InputItem[]
  readonly tools?: readonly {
    readonly type: string
    readonly name: string
    readonly parameters: Readonly<Record<string, unknown>>
  }[]
  readonly tool_choice?: unknown
}

const NAME = /^[\w-]{1,64}$/
const COMBINED = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

/** Why the Responses API would not take a request; thoughts are checked by who gave them. */
export function faultOf(request: ResponsesRequest): string | undefined {
  const checks = [envelopeFaults, toolFaults, itemFaults, pairFaults, reasoningFaults]
  for (const check of checks) {
    for (const fault of check(request)) return fault
  }
  return undefined
}

function* envelopeFaults({ max_output_tokens: max, input, store }: ResponsesRequest) {
  if (max !== undefined && !(Number.isInteger(max) && max >= 16)) {
    yield `Invalid 'max_output_tokens': expected a value >= 16, but got ${max}`
  }
  if (input.length === 0) yield 'One of "input" or "previous_response_id" must be provided'
  if (store !== false && input.some(({ type }) => type === 'item_reference')) return
  const referred = input.find(({ type }) => type === 'item_reference')
  if (referred) yield `Item with id '${referred.id}' not found. Items are not persisted`
}

function* toolFaults({ tools, tool_choice }: ResponsesRequest) {
  if (tools === undefined && tool_choice !== undefined) yield 'Tool choice without tools'
  const names = (tools ?? []).map(({ name }) => name)
  if (new Set(names).size < names.length) yield 'tools: names must be unique'
  for (const { type, name, parameters } of tools ?? []) {
    if (type !== 'function') yield `tools: "${type}" is not known here`
    if (!NAME.test(name)) yield `Invalid 'tools.name': "${name}" does not match ${NAME.source}`
    const combined = COMBINED.find((key) => key in parameters)
    if (parameters['type'] !== 'object' || combined !== undefined) {
      yield `Invalid schema for function '${name}': it must have type 'object' and no ${COMBINED.join()}`
    }
  }
}

function* itemFaults({ input }: ResponsesRequest) {
  for (const [at, item] of input.entries()) {
    const fault = itemFault(item)
    if (fault !== undefined) yield `input[${at}]: ${fault}`
  }
  if (input.at(-1)?.role === 'assistant') yield 'the input ends with the assistant'
}

function itemFault(item: InputItem): string | undefined {
  switch (item.type) {
    case undefined:
    case 'message':
      return textOf(item).trim() === '' ? `a blank ${item.role} message` : undefined
    case 'function_call':
      return callFault(item)
    case 'function_call_output':
      return typeof item.output === 'string' ? undefined : 'output is no text'
    case 'reasoning':
    case 'item_reference':
      return undefined
    default:
      return `"${item.type}" is no item that is sent here`
  }
}

function callFault({ call_id = '', name = '', arguments: given = '' }: InputItem) {
  if (call_id === '' || call_id.length > 64) return `call_id "${call_id}" is not 1 to 64 long`
  if (!NAME.test(name)) return `name "${name}" does not match ${NAME.source}`
  return typeof JSON.parse(given) === 'object' ? undefined : 'arguments are no object'
}

function* pairFaults({ input }: ResponsesRequest) {
  const open = new Set<string>()
  const used = new Set<string>()
  for (const { type, call_id: id = '' } of input) {
    if (type === 'function_call') {
      if (used.has(id)) yield `Duplicate function_call with call_id ${id}`
      open.add(id)
      used.add(id)
    }
    if (type === 'function_call_output' && !open.delete(id)) {
      yield `No tool call found for function call output with call_id ${id}`
    }
  }
  if (open.size > 0) yield `No tool output found for function call ${[...open].join()}`
}

function* reasoningFaults({ input, store }: ResponsesRequest) {
  const ids = new Set<string>()
  for (const [at, { type, id = '', encrypted_content: sealed }] of input.entries()) {
    if (type !== 'reasoning') continue
    if (ids.has(id)) yield `Duplicate item found with id ${id}`
    ids.add(id)
    if (store === false && sealed === undefined) yield `Item with id '${id}' not found`
    const rest = input.slice(at + 1).find((item) => item.type !== 'reasoning')
    if (rest?.type !== 'function_call' && rest?.role !== 'assistant') {
      yield `Item '${id}' of type 'reasoning' was provided without its required following item`
    }
  }
}

export function textOf({ content = '' }: InputItem): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}
