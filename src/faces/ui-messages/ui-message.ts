import { textOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { UiChunk } from './ui-chunk.ts'

/** A part of a message as the AI SDK's pages hold it. */
type UiPart = { readonly type: string } & JsonObject

/** A message as `useChat` takes it. */
export interface UiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly UiPart[]
}

/** Folds the chunks of one reply into its message, as a page does. */
export class UiReply {
  readonly id: string
  #parts: UiPart[] = []
  /** How many parts there were when a turn began. */
  readonly #begun = new Map<string, number>()

  constructor(id: string) {
    this.id = id
  }

  get message(): UiMessage {
    return { id: this.id, role: 'assistant', parts: this.#parts }
  }

  /** A turn that runs again takes back what it said the first time. */
  begin(turn: string): void {
    const length = this.#begun.get(turn) ?? this.#parts.length
    this.#begun.set(turn, length)
    this.#parts = this.#parts.slice(0, length)
  }

  take(chunk: UiChunk): void {
    switch (chunk.type) {
      case 'start-step':
        return this.#add({ type: 'step-start' })
      case 'reset-step': {
        const start = this.#parts.findLastIndex(({ type }) => type === 'step-start')
        this.#parts = this.#parts.slice(0, start + 1)
        return undefined
      }
      case 'text-start':
        return this.#add({ type: 'text', text: '', state: 'done' })
      case 'reasoning-start':
        return this.#add({ type: 'reasoning', text: '', state: 'done' })
      case 'text-delta':
        return this.#append('text', chunk.delta)
      case 'reasoning-delta':
        return this.#append('reasoning', chunk.delta)
      default:
        return 'data' in chunk ? this.#data(chunk) : this.#call(chunk)
    }
  }

  #data({ type, id, data, transient }: Extract<UiChunk, { readonly data: Json }>): void {
    if (transient) return
    const part = { type, ...(id !== undefined && { id }), data }
    const at = this.#parts.findIndex((each) => each.type === type && each['id'] === id)
    if (id === undefined || at < 0) this.#add(part)
    else this.#parts[at] = part
  }

  #call(chunk: UiChunk): void {
    switch (chunk.type) {
      case 'tool-input-available': {
        const { toolCallId, toolName, input } = chunk
        return this.#add({ type: `tool-${toolName}`, toolCallId, state: 'input-available', input })
      }
      case 'tool-approval-request': {
        const { approvalId: id, approvalDescriptor: descriptor, reason } = chunk
        const approval = { id, descriptor, ...(reason !== undefined && { requestReason: reason }) }
        return this.#change(chunk.toolCallId, { state: 'approval-requested', approval })
      }
      case 'tool-approval-response':
        return this.#respond(chunk)
      case 'tool-output-available': {
        const { toolCallId, output, preliminary = false } = chunk
        return this.#change(toolCallId, { state: 'output-available', output, preliminary })
      }
      case 'tool-output-error': {
        const { toolCallId, errorText } = chunk
        return this.#change(toolCallId, { state: 'output-error', errorText })
      }
      case 'tool-output-denied':
        return this.#change(chunk.toolCallId, { state: 'output-denied' })
      default:
        return undefined
    }
  }

  #respond(chunk: Extract<UiChunk, { readonly type: 'tool-approval-response' }>): void {
    const { approvalId: id, approved, reason } = chunk
    const asked = this.#parts.find((part) => approvalIn(part)['id'] === id)
    if (!asked) return
    const approval = { ...approvalIn(asked), approved, ...(reason !== undefined && { reason }) }
    this.#change(textOf(asked, 'toolCallId'), { state: 'approval-responded', approval })
  }

  #add(part: UiPart): void {
    this.#parts.push(part)
  }

  #append(type: 'text' | 'reasoning', delta: string): void {
    const last = this.#parts.at(-1)
    const open = last?.type === type ? last : this.#parts.findLast((part) => part.type === type)
    // Copied for each delta, a long reply would cost as much again.
    if (open) Object.assign(open, { text: textOf(open, 'text') + delta })
  }

  #change(toolCallId: string, change: JsonObject): void {
    const at = this.#parts.findLastIndex((part) => part['toolCallId'] === toolCallId)
    const part = this.#parts[at]
    if (!part) return
    // An error takes the place of what the call gave before.
    const isError = change['state'] === 'output-error'
    const kept = isError ? withoutOutput(part) : part
    this.#parts[at] = { ...kept, ...change, type: part.type }
  }
}

function approvalIn({ approval = {} }: UiPart): JsonObject {
  // Written above.
  return approval as JsonObject
}

function withoutOutput(part: UiPart): JsonObject {
  const members = Object.entries(part)
  return Object.fromEntries(members.filter(([name]) => name !== 'output' && name !== 'preliminary'))
}
