import type { Message, Metadata, ToolCall } from '@ag-ui/core'

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
    const calls = this.#calls.map(({ call }) => call)
    // The fold never adds text or calls to an activity.
    this.#message = {
      ...this.#message,
      ...(text !== undefined && { content: text }),
      ...(calls.length > 0 && { toolCalls: calls }),
    } as Message
    return this.#message
  }

  append(delta: string): void {
    this.#text ??= typeof this.#message.content === 'string' ? this.#message.content : ''
    this.#text += delta
    this.#isShown = false
  }

  add(call: HeldCall): void {
    this.#calls.push(call)
    this.#isShown = false
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
    this.#calls = []
    this.#isShown = true
  }
}
