import type { ModelToolCall } from '../models/index.ts'
import { agentEvent } from '../activity/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import type { CallIds } from './call-ids.ts'
import { subagentMark } from './step-events.ts'

/** Deltas wait at most this long before they are appended. */
export const COALESCE_MAX_MS = 40
/** Deltas are appended once this many characters wait. */
export const COALESCE_MAX_CHARS = 1_024

export interface DeltaFlowParts {
  readonly append: (events: readonly NewEvent[]) => Promise<unknown>
  readonly origin: Origin
  readonly id: () => string
  readonly calls: Pick<CallIds, 'recordId'>
  /** Goes before everything else, in one batch with the next event. */
  readonly opening: NewEvent
}

/** The item that deltas are collected for. */
interface Item {
  readonly kind: 'text' | 'reasoning' | 'call'
  /** Empty for the text, which is one message. */
  readonly id: string
}

/**
 * Coalesces what a model streams into records: text, thoughts and tool arguments, in their order. The
 * text is one message, trimmed, that is never opened when there is nothing to say. Appends follow one
 * another; the first that fails ends the flow.
 */
export class DeltaFlow {
  readonly #parts: DeltaFlowParts
  readonly #tag: { readonly subagentRunId?: string }
  #item: Item | undefined
  #pending = ''
  /** Blanks that belong to the text only if more of it follows. */
  #blanks = ''
  #messageId: string | undefined
  #said = ''
  readonly #thoughts = new Map<string, string>()
  /** The open tool calls with their input as far as it is on record. */
  readonly #calls = new Map<string, string>()
  #waiting: NewEvent[]
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Absent until the first append. */
  #appends: Promise<unknown> | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(parts: DeltaFlowParts) {
    this.#parts = parts
    this.#tag = subagentMark(parts.origin)
    this.#waiting = [parts.opening]
    this.#timer = setTimeout(() => this.#flush(), COALESCE_MAX_MS)
  }

  get said(): string {
    return this.#said
  }

  /** @throws whatever an earlier append failed with */
  text(delta: string): void {
    this.#turnTo('text')
    this.#push(this.#messageId || this.#pending ? delta : delta.trimStart())
  }

  reasoning(id: string, delta: string): void {
    this.#thought(id)
    this.#push(delta)
  }

  /** A thought may come without words, but with what its provider wants back. */
  reasoningEnd(id: string, encryptedValue?: string): void {
    if (encryptedValue !== undefined) this.#thought(id)
    const entityId = this.#thoughts.get(id)
    if (entityId === undefined) return
    this.#settle()
    if (encryptedValue !== undefined) {
      this.#put('REASONING_ENCRYPTED_VALUE', { subtype: 'message', entityId, encryptedValue })
    }
    this.#put('REASONING_MESSAGE_END', { messageId: entityId })
    this.#put('REASONING_END', { messageId: entityId })
    this.#thoughts.delete(id)
  }

  toolInput(id: string, name: string, delta: string): void {
    this.#turnTo('call', id)
    this.#begin(id, name)
    this.#input(id, delta)
  }

  /**
   * A tool call that is complete; the missing rest of its input is recorded. Returns the input as it is
   * there: a provider may stream one text and sum it up as another.
   */
  toolCall({ id, name, input, encrypted }: ModelToolCall): string {
    this.#turnTo('call', id)
    this.#begin(id, name)
    const streamed = this.#calls.get(id) ?? ''
    if (input.startsWith(streamed)) this.#input(id, input.slice(streamed.length))
    const recorded = this.#calls.get(id) ?? ''
    this.#settle()
    if (encrypted !== undefined) {
      const value = { subtype: 'tool-call', entityId: id, encryptedValue: encrypted } as const
      this.#put('REASONING_ENCRYPTED_VALUE', value)
    }
    this.#put('TOOL_CALL_END', { toolCallId: id })
    this.#calls.delete(id)
    return recorded
  }

  /** Closes everything; resolves, once all earlier events are durable, with the events still to append. */
  async end(): Promise<readonly NewEvent[]> {
    this.#settle()
    clearTimeout(this.#timer)
    for (const id of this.#thoughts.keys()) this.reasoningEnd(id)
    for (const toolCallId of this.#calls.keys()) this.#put('TOOL_CALL_END', { toolCallId })
    if (this.#messageId) this.#put('TEXT_MESSAGE_END', { messageId: this.#messageId })
    if (this.#appends) await this.#appends
    if (this.#failure) throw this.#failure.error
    return this.#waiting
  }

  #thought(id: string): void {
    this.#turnTo('reasoning', id)
    if (this.#thoughts.has(id)) return
    const messageId = this.#parts.id()
    this.#thoughts.set(id, messageId)
    this.#put('REASONING_START', { messageId })
    this.#put('REASONING_MESSAGE_START', { messageId, role: 'reasoning' })
  }

  #begin(toolCallId: string, toolCallName: string): void {
    if (this.#calls.has(toolCallId)) return
    this.#calls.set(toolCallId, '')
    const start = { toolCallId, toolCallName, ...this.#tag }
    this.#waiting.push({
      ...agentEvent('TOOL_CALL_START', start, this.#parts.origin),
      id: this.#parts.calls.recordId(toolCallId),
    })
  }

  #input(id: string, delta: string): void {
    this.#calls.set(id, `${this.#calls.get(id) ?? ''}${delta}`)
    this.#push(delta)
  }

  #turnTo(kind: Item['kind'], id = ''): void {
    if (this.#failure) throw this.#failure.error
    if (this.#item?.kind === kind && this.#item.id === id) return
    this.#settle()
    this.#item = { kind, id }
  }

  #push(delta: string): void {
    this.#pending += delta
    if (this.#pending.length >= COALESCE_MAX_CHARS) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), COALESCE_MAX_MS)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#settle()
    if (this.#waiting.length === 0) return
    const events = this.#waiting
    this.#waiting = []
    this.#appends = (this.#appends ?? Promise.resolve())
      .then(() => (this.#failure ? undefined : this.#parts.append(events)))
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
  }

  /** Turns the pending text into an event of its item. */
  #settle(): void {
    const delta = this.#item?.kind === 'text' ? this.#trimmed() : this.#pending
    this.#pending = ''
    if (delta === '' || !this.#item) return
    switch (this.#item.kind) {
      case 'text':
        if (!this.#messageId) {
          this.#messageId = this.#parts.id()
          this.#put('TEXT_MESSAGE_START', { messageId: this.#messageId, role: 'assistant' })
        }
        this.#said += delta
        this.#put('TEXT_MESSAGE_CONTENT', { messageId: this.#messageId, delta })
        return
      case 'reasoning': {
        const messageId = this.#thoughts.get(this.#item.id) ?? ''
        this.#put('REASONING_MESSAGE_CONTENT', { messageId, delta })
        return
      }
      case 'call':
        this.#put('TOOL_CALL_ARGS', { toolCallId: this.#item.id, delta })
    }
  }

  #trimmed(): string {
    const whole = this.#blanks + this.#pending
    const delta = whole.trimEnd()
    this.#blanks = delta === '' && !this.#messageId ? '' : whole.slice(delta.length)
    return delta
  }

  #put<T extends Parameters<typeof agentEvent>[0]>(
    type: T,
    data: Parameters<typeof agentEvent<T>>[1],
  ): void {
    this.#waiting.push(agentEvent(type, { ...data, ...this.#tag }, this.#parts.origin))
  }
}
