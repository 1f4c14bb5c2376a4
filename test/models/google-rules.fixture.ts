export interface GooglePart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: unknown }
  readonly functionResponse?: {
    readonly id?: string
    readonly name: string
    readonly response: { readonly content?: unknown; readonly error?: unknown }
  }
}

export interface GoogleContent {
  readonly role: string
  readonly parts: readonly GooglePart[]
}

export interface GoogleRequest {
  readonly contents: readonly GoogleContent[]
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] }
  readonly generationConfig?: { readonly maxOutputTokens?: number }
  readonly tools?: readonly {
    readonly functionDeclarations: readonly {
      readonly name: string
      readonly parametersJsonSchema?: { readonly type?: string }
    }[]
  }[]
  readonly toolConfig?: unknown
}

const NAME = /^[a-z_][\w.:-]{0,63}$/i

/** Why the Gemini API would not take a request; signatures are checked by who gave them. */
export function faultOf(request: GoogleRequest): string | undefined {
  const checks = [envelopeFaults, toolFaults, partFaults, turnFaults]
  for (const check of checks) {
    for (const fault of check(request)) return fault
  }
  return undefined
}

function* envelopeFaults({ contents, generationConfig }: GoogleRequest) {
  if (contents.length === 0) yield 'contents is not specified'
  if (contents[0]?.role !== 'user') yield 'the first content should be with role "user"'
  if (contents.at(-1)?.role !== 'user') yield 'requests must end with a user role'
  if (!Number.isInteger(generationConfig?.maxOutputTokens)) yield 'maxOutputTokens is missing'
}

function* toolFaults({ tools = [], toolConfig }: GoogleRequest) {
  if (tools.length === 0 && toolConfig !== undefined) yield 'function calling config without tools'
  for (const { functionDeclarations } of tools) {
    for (const { name, parametersJsonSchema: schema } of functionDeclarations) {
      if (!NAME.test(name)) yield `Invalid function name "${name}"`
      if (schema !== undefined && schema.type !== 'object') {
        yield `${name}: parameters schema should be of type object`
      }
    }
  }
}

function* partFaults({ contents }: GoogleRequest) {
  for (const [at, { role, parts }] of contents.entries()) {
    if (!['user', 'model'].includes(role)) yield `contents[${at}]: "${role}" is no role`
    if (parts.length === 0) yield `contents[${at}].parts must not be empty`
    for (const part of parts) {
      const fault = part.functionCall ? callFault(part.functionCall) : dataFault(part)
      if (fault !== undefined) yield `contents[${at}]: ${fault}`
    }
  }
}

function callFault({ name, args }: NonNullable<GooglePart['functionCall']>): string | undefined {
  if (!NAME.test(name)) return `Invalid function name "${name}"`
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  return isObject ? undefined : 'args are no Struct'
}

function dataFault({ text = '', thoughtSignature, functionResponse }: GooglePart) {
  const says = text.trim() !== '' || thoughtSignature !== undefined || functionResponse
  return says ? undefined : "required oneof field 'data' must have one initialized field"
}

function* turnFaults({ contents }: GoogleRequest) {
  for (const [at, content] of contents.entries()) {
    const calls = callsIn(content)
    if (calls.length > 0 && contents[at - 1]?.role !== 'user') {
      yield 'a function call turn comes immediately after a user turn or a function response turn'
    }
    const answers = responsesIn(contents[at + 1])
    if (calls.map(({ name }) => name).join() !== answers.map(({ name }) => name).join()) {
      yield 'the number of function response parts is not that of the function call parts'
    }
    if (responsesIn(content).length > 0 && callsIn(contents[at - 1]).length === 0) {
      yield 'a function response turn comes immediately after a function call turn'
    }
  }
}

function callsIn(content: GoogleContent | undefined) {
  return (content?.parts ?? []).flatMap(({ functionCall: call }) => (call ? [call] : []))
}

export function responsesIn(content: GoogleContent | undefined) {
  return (content?.parts ?? []).flatMap(({ functionResponse: given }) => (given ? [given] : []))
}
