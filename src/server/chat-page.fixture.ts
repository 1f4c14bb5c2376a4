import { randomUUID } from 'node:crypto'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream,
} from 'ai'
import type { UIMessage } from 'ai'

/** A page of the AI SDK without its hook: it keeps the messages, and sends them as `useChat` does. */
export class Page {
  readonly id: string
  messages: UIMessage[] = []
  readonly #transport: DefaultChatTransport<UIMessage>

  constructor(
    url: string,
    { agent = 'clerk', id = randomUUID() }: { agent?: string; id?: string } = {},
  ) {
    this.id = id
    this.#transport = new DefaultChatTransport({ api: `${url}/chat/${agent}` })
  }

  async say(text: string): Promise<UIMessage> {
    this.messages.push({ id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] })
    return this.send()
  }

  async send(
    options: {
      body?: object
      trigger?: 'regenerate-message'
      headers?: Record<string, string>
    } = {},
  ) {
    const { trigger = 'submit-message', ...more } = options
    const last = this.messages.at(-1)
    const stream = await this.#transport.sendMessages({
      chatId: this.id,
      messages: this.messages,
      trigger,
      messageId: undefined,
      abortSignal: undefined,
      ...more,
    })
    const goesOn = trigger === 'submit-message' && last?.role === 'assistant'
    return this.#read(stream, goesOn ? structuredClone(last) : undefined)
  }

  async resume(): Promise<UIMessage | undefined> {
    const stream = await this.#transport.reconnectToStream({ chatId: this.id })
    return stream ? this.#read(stream) : undefined
  }

  async #read(stream: Parameters<typeof readUIMessageStream>[0]['stream'], message?: UIMessage) {
    let shown: UIMessage | undefined
    let failure: unknown
    const given = {
      stream,
      onError: (error: unknown) => (failure = error),
      ...(message && { message }),
    }
    for await (const each of readUIMessageStream(given)) {
      shown = each
      this.#show(each)
    }
    if (failure) throw failure
    if (!shown) throw new Error('the stream held no message')
    return shown
  }

  #show(message: UIMessage): void {
    const at = this.messages.findIndex(({ id }) => id === message.id)
    if (at < 0) this.messages.push(message)
    else this.messages[at] = message
  }
}

export async function historyOf(url: string, id: string, agent = 'clerk') {
  const response = await fetch(`${url}/chat/${agent}/${id}`)
  return (await response.json()) as { messages: UIMessage[]; state: unknown }
}

export const partsOf = (message: UIMessage | undefined, prefix: string) =>
  (message?.parts ?? []).filter(({ type }) => type.startsWith(prefix)) as unknown as Record<
    string,
    unknown
  >[]

export const textOf = (message: UIMessage | undefined) =>
  partsOf(message, 'text')
    .map(({ text }) => text)
    .join('')

export function lastOf({ messages }: Page): UIMessage {
  const last = messages.at(-1)
  if (!last) throw new Error('the page has no message')
  return last
}

/** Answers the open approvals of the last message, which the page then sends by itself. */
export function approve(page: Page, approved = true): Promise<UIMessage> {
  const last = structuredClone(lastOf(page))
  for (const part of last.parts) {
    if (!('approval' in part) || part.state !== 'approval-requested') continue
    const { approval } = part
    Object.assign(part, { state: 'approval-responded', approval: { ...approval, approved } })
  }
  page.messages = [...page.messages.slice(0, -1), last]
  if (!lastAssistantMessageIsCompleteWithApprovalResponses(page)) {
    throw new Error('the page would not send these answers')
  }
  return page.send()
}
