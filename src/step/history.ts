import type { ModelFile, ModelMessage, ModelReasoning, ModelToolCall } from '../models/index.ts'
import { isSpoken, mediaTypeOf } from '../activity/index.ts'
import type { ConversationMessage, InputFile } from '../activity/index.ts'
import { neutralise } from '../thread/index.ts'

const OPENING = '[The conversation starts here.]'
const CONTINUE = '[Continue.]'
const WORDLESS = '[The tool failed without saying why.]'
/** A hand-off has a note of its own. */
const HANDOFF = 'handoff_to_'

/** The words for the result of a call that was answered before, when it waited for a decision. */
export function lateText(
  tool: string,
  { outcome, text }: Pick<ToolResult, 'outcome' | 'text'>,
): string {
  const gave = outcome === 'good' ? 'gave' : 'failed'
  return neutralise(
    `[The call of ${tool} that waited for a decision ${gave}: ${unbracketed(text)}]`,
  )
}

export interface HistoryOptions {
  /** The tools that the model is offered: calls of others become text, since providers refuse them. */
  readonly tools?: ReadonlySet<string>
  /** The media types of files that the model reads; it is told of others. */
  readonly files?: readonly string[]
  /** Names the instructions and tools: signed thoughts of earlier turns under others are left out. */
  readonly prompt?: string
}

/**
 * Makes a history that every provider accepts out of any conversation: no blank message, sides that
 * alternate, a person's side or a tool's result last, each tool call with exactly one result right after
 * it. Pure and total.
 */
export function modelHistory(
  messages: readonly ConversationMessage[],
  options: HistoryOptions = {},
): readonly ModelMessage[] {
  const history = new History(messages, options)
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  for (const [at, message] of messages.entries()) {
    if (!message.failed) history.take(message, at > asked ? 'this turn' : 'earlier')
  }
  return history.done()
}

type ToolResult = ConversationMessage & { readonly role: 'tool' }

interface AnsweredCall {
  readonly call: ModelToolCall
  readonly result: ToolResult
}

class History {
  readonly #messages: ModelMessage[] = []
  readonly #tools: ReadonlySet<string>
  readonly #prompt: string
  readonly #fileTypes: readonly string[]
  readonly #results = new Map<string, ToolResult>()
  /** The model's text, thoughts and tool calls since the last other message. */
  #text: string[] = []
  #thoughts: ModelReasoning[] = []
  #calls: AnsweredCall[] = []

  constructor(
    messages: readonly ConversationMessage[],
    { tools = new Set(), prompt = '', files = [] }: HistoryOptions,
  ) {
    this.#tools = tools
    this.#prompt = prompt
    this.#fileTypes = files
    for (const message of messages) {
      if (message.role === 'tool' && !message.late && !this.#results.has(message.call)) {
        this.#results.set(message.call, message)
      }
    }
  }

  take(message: ConversationMessage, from: 'this turn' | 'earlier'): void {
    switch (message.role) {
      case 'user':
      case 'note':
        this.#flush()
        this.#hear(heardText(message))
        if (message.role === 'user') this.#see(message.files)
        return
      case 'assistant': {
        // Providers refuse half a character; text that is cut anywhere may end in one.
        const text = message.text.trim().toWellFormed()
        if (text !== '') this.#text.push(text)
        return
      }
      case 'reasoning':
        this.#think(message, from)
        return
      case 'call':
        this.#ask(message)
        return
      case 'tool':
        this.#flush()
        // Its call was answered before: providers refuse a second result.
        if (message.late) this.#hear(lateText(message.late, message))
    }
  }

  done(): readonly ModelMessage[] {
    this.#flush()
    const messages = this.#messages
    if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', text: OPENING })
    if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', text: CONTINUE })
    return messages
  }

  /**
   * Providers want the signed thoughts of a running turn back as they came. Earlier ones are worth something
   * only under the instructions and tools of their call.
   */
  #think(
    { text, encrypted, prompt }: ConversationMessage & { readonly role: 'reasoning' },
    from: 'this turn' | 'earlier',
  ): void {
    const thought = { text: text.toWellFormed() }
    if (encrypted === undefined) this.#thoughts.push(thought)
    else if (from === 'this turn' || prompt === this.#prompt) {
      this.#thoughts.push({ ...thought, encrypted })
    }
  }

  #ask({ id, name, text, encrypted }: ConversationMessage & { readonly role: 'call' }): void {
    const result = this.#results.get(id)
    if (id === '' || !result) return
    // Providers refuse a second call with the same id.
    this.#results.delete(id)
    if (!this.#tools.has(name)) {
      this.#tell(`${name}(${text})`, result)
      return
    }
    const call = { id, name, input: text, ...(encrypted === undefined ? {} : { encrypted }) }
    this.#calls.push({ call, result })
  }

  /** Puts the result of a tool that the model is not offered into words. */
  #tell(call: string, result: ToolResult): void {
    if (call.startsWith(HANDOFF)) return
    this.#flush()
    this.#hear(neutralise(`[${call} gave: ${unbracketed(result.text)}]`))
  }

  #hear(text: string): void {
    if (text === '') return
    const last = this.#messages.at(-1)
    if (last?.role === 'user') {
      const joined = last.text === '' ? text : `${last.text}\n\n${text}`
      this.#messages[this.#messages.length - 1] = { ...last, text: joined }
    } else this.#messages.push({ role: 'user', text })
  }

  #see(files: readonly InputFile[] = []): void {
    const read = files.filter((file) => readsFile(this.#fileTypes, file))
    for (const file of files) {
      if (!read.includes(file)) this.#hear(unreadFile(file))
    }
    if (read.length === 0) return
    const last = this.#messages.at(-1)
    const { text = '', files: before = [] } = last?.role === 'user' ? last : {}
    if (last?.role === 'user') this.#messages.pop()
    this.#messages.push({ role: 'user', text, files: [...before, ...read.map(modelFile)] })
  }

  #flush(): void {
    const [text, calls, thoughts] = [this.#text.join('\n\n'), this.#calls, this.#thoughts]
    this.#text = []
    this.#calls = []
    this.#thoughts = []
    if (text === '' && calls.length === 0) return
    const last = this.#messages.at(-1)
    const before = last?.role === 'assistant' ? last.text : ''
    if (last?.role === 'assistant') this.#messages.pop()
    this.#messages.push({
      role: 'assistant',
      text: [before, text].filter(Boolean).join('\n\n'),
      ...(calls.length > 0 && thoughts.length > 0 ? { reasoning: thoughts } : {}),
      ...(calls.length > 0 ? { toolCalls: calls.map(({ call }) => call) } : {}),
    })
    this.#messages.push(...calls.map(resultMessage))
  }
}

/** The words for a file that an agent is not given. */
export function unreadFile(file: InputFile): string {
  return `[A file of the type ${mediaTypeOf(file)}, which you cannot read.]`
}

/** Whether a list of media types, such as `image/*` and `application/pdf`, holds that of a file. */
export function readsFile(types: readonly string[], file: InputFile): boolean {
  const type = mediaTypeOf(file)
  const kind = type.split('/')[0] ?? ''
  return types.includes(type) || types.includes(`${kind}/*`)
}

function modelFile(file: InputFile): ModelFile {
  const { source } = file
  const data = source.type === 'data' ? { base64: source.value } : { url: source.value }
  return { mediaType: mediaTypeOf(file), data }
}

function resultMessage({ call, result }: AnsweredCall): ModelMessage {
  const failed = result.outcome === 'failed'
  // Providers refuse a failure that says nothing.
  const content = result.text.trim() === '' && failed ? WORDLESS : result.text
  return {
    role: 'tool',
    toolCallId: call.id,
    toolName: call.name,
    text: neutralise(content),
    failed,
  }
}

function heardText(message: ConversationMessage): string {
  const text = message.text.trim()
  return neutralise(isSpoken(message) ? unbracketed(text) : text)
}

/** Blanks of its own line alone: those of the lines before it would be read once for each line. */
const LEADING_BRACKET = /^([^\S\n\r\u2028\u2029]*)\[/gm

/** Only notes begin with a bracket; other text must not pass for a note. */
export function unbracketed(text: string): string {
  return text.includes('[') ? text.replaceAll(LEADING_BRACKET, '$1(') : text
}
