import type { Message, Metadata, ToolCall } from '@ag-ui/core'
import type { InputFile } from './input-file.ts'

/** A tool call whose arguments may still grow. */
export class HeldCall {
  #call: ToolCall
  #text: string

  constructor(call: ToolCall) {
    this.#call = call
    this.#text = call.function.arguments
  }

  get id(): string {
    return this.#call.id
  }

  /** The same object until the call changes. */
  get call(): ToolCall {
    const { function: before } = this.#call
    if (before.arguments.length !== this.#text.length) {
      this.#call = { ...this.#call, function: { ...before, arguments: this.#text } }
    }
    return this.#call
  }

  append(delta: string): void {
    this.#text += delta
  }

  rename(name: string): void {
    const { call } = this
    if (call.function.name !== name) this.#call = { ...call, function: { ...call.function, name } }
  }

  merge(metadata: Metadata): void {
    this.#call = { ...this.#call, metadata: { ...this.#call.metadata, ...metadata } }
  }

  encrypt(encryptedValue: string): void {
    this.#call = { ...this.#call, encryptedValue }
  }
}

/**
 * A message that may still grow, in a chain with those after it. What grows is kept apart from the
 * message as it is shown, so that an event costs nothing of the message's size.
 */
export class HeldMessage {
  next: HeldMessage | undefined
  #message: Message
  #text: string | undefined
  #files: readonly InputFile[] = []
  #calls: HeldCall[] = []
  #isShown = true

  constructor(message: Message) {
    this.#message = message
    if (message.role === 'assistant') {
      this.#calls = (message.toolCalls ?? []).map((call) => new HeldCall(call))
    }
  }

  get id(): string {
    return this.#message.id
  }

  get role(): Message['role'] {
    return this.#message.role
  }

  get calls(): readonly HeldCall[] {
    return this.#calls
  }

  /** The same object until the message changes. */
  get message(): Message {
    if (this.#isShown) return this.#message
    this.#isShown = true
    const text = this.#text
    const files = this.#files
    const written = text === undefined || text === '' ? [] : [{ type: 'text', text }]
    const content = files.length > 0 ? [...written, ...files] : text
    const calls = this.#calls.map(({ call }) => call)
    // The fold never adds text or calls to an activity.
    this.#message = {
      ...this.#message,
      ...(content !== undefined && { content }),
      ...(calls.length > 0 && { toolCalls: calls }),
    } as Message
    return this.#message
  }

  append(delta: string): void {
    if (this.#text === undefined) {
      const { content } = this.#message
      this.#text = typeof content === 'string' ? content : ''
      this.#place('content')
    }
    this.#text += delta
    this.#isShown = false
  }

  /** Puts files after the text. */
  attach(files: readonly InputFile[]): void {
    this.append('')
    this.#files = [...this.#files, ...files]
  }

  add(call: HeldCall): void {
    this.#calls.push(call)
    this.#place('toolCalls')
  }

  /** Gives a member its place among those of the message: clients are sent them in the order in which they came. */
  #place(member: 'content' | 'toolCalls'): void {
    this.#isShown = false
    if (!(member in this.#message)) this.#message = { ...this.#message, [member]: undefined }
  }

  /** One of its calls has changed. */
  touch(): void {
    this.#isShown = false
  }

  merge(metadata: Metadata): void {
    this.#message = { ...this.#message, metadata: { ...this.#message.metadata, ...metadata } }
  }

  encrypt(encryptedValue: string): void {
    if (this.#message.role === 'activity') return
    this.#message = { ...this.#message, encryptedValue }
  }

  /** Becomes another message, in its place. */
  become(message: Message): void {
    this.#message = message
    this.#text = undefined
    this.#files = []
    this.#calls = []
    this.#isShown = true
  }
}
