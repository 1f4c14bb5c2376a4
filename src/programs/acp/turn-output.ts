import { isJsonObject, shortJson } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { PROGRAM_MESSAGE_CHARS_MAX, PROGRAM_OPEN_MAX } from '../limits.ts'
import { RecentIds } from '../recent-ids.ts'
import type { MessageBlock, SessionEvent, ToolResult } from '../session/session-event.ts'
import type { AcpToolCall, AcpUpdate } from './lines.ts'

const RESULT_CHARS_MAX = 100_000

interface OpenCall {
  readonly name: string
  input: Json
  isAnnounced: boolean
}

interface OpenMessage {
  readonly blocks: MessageBlock[]
  chars: number
}

type Emit = (event: SessionEvent) => void

/**
 * Reads an agent's updates: texts in pieces, which are passed on at once, and tool calls, whose input and result
 * come in several updates. A message is complete once a call has its result, or the turn ends. Updates of a call
 * after its result, in the same turn, are ignored.
 */
export class TurnOutput {
  readonly #emit: Emit
  readonly #model: () => string
  readonly #calls = new Map<string, OpenCall>()
  /** Calls of this turn that have a result. */
  #ended = new RecentIds()
  /** The messages that are not complete; an agent may write several at once, each under its id. */
  readonly #open = new Map<string, OpenMessage>()
  /** The newest message. */
  #message = ''
  #messages = 0

  constructor(emit: Emit, model: () => string) {
    this.#emit = emit
    this.#model = model
  }

  take(update: AcpUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#text('text', update)
      case 'agent_thought_chunk':
        return this.#text('thinking', update)
      case 'tool_call':
      case 'tool_call_update':
        return this.#call(update)
      case 'usage_update':
        return undefined
    }
  }

  /** The input of a call as far as it is known, before its use is allowed; none of a call that has ended. */
  announce(call: AcpToolCall): Pick<OpenCall, 'name' | 'input'> | undefined {
    if (this.#ended.has(call.toolCallId)) return undefined
    const open = this.#callOf(call)
    this.#tell(call.toolCallId, open)
    return open
  }

  /** The turn has ended: an open message is complete, and a call without a result has failed. */
  end(): void {
    for (const id of this.#calls.keys())
      this.#result(id, { content: 'It has no result', isError: true })
    this.#complete()
    this.#ended = new RecentIds()
  }

  #text(
    type: 'text' | 'thinking',
    { content, messageId }: Extract<AcpUpdate, { content: { type: string } }>,
  ) {
    const { text = '' } = content
    if (content.type !== 'text' || text === '') return
    const open = this.#messageOf(messageId ?? this.#message)
    const { blocks } = open
    const last = blocks.at(-1)
    if (last?.type === type) blocks[blocks.length - 1] = { type, text: last.text + text }
    else blocks.push({ type, text })
    open.chars += text.length
    this.#emit({ type: 'delta', message: this.#message, parent: null, of: type, text })
  }

  /** The message of this id, or a new one; the empty id means none. */
  #messageOf(id: string): OpenMessage {
    const known = this.#open.get(id)
    const isTooLong = (known?.chars ?? 0) > PROGRAM_MESSAGE_CHARS_MAX
    const isFull = !known && this.#open.size >= PROGRAM_OPEN_MAX
    if (isTooLong || isFull) this.#complete()
    this.#message = id || `message-${++this.#messages}`
    const open = this.#open.get(this.#message) ?? { blocks: [], chars: 0 }
    this.#open.set(this.#message, open)
    return open
  }

  #call(call: AcpToolCall): void {
    if (this.#ended.has(call.toolCallId)) return
    const open = this.#callOf(call)
    const isOver = call.status === 'completed' || call.status === 'failed'
    // The first update often lacks the input.
    if (isOver || call.status === 'in_progress') this.#tell(call.toolCallId, open)
    if (!isOver) return
    const isError = call.status === 'failed'
    this.#result(call.toolCallId, { content: resultOf(call), isError })
  }

  #callOf({ toolCallId: id, name, kind, title, rawInput }: AcpToolCall): OpenCall {
    const known = this.#calls.get(id)
    if (known) {
      if (!known.isAnnounced && rawInput !== undefined) known.input = rawInput
      return known
    }
    if (this.#calls.size >= PROGRAM_OPEN_MAX) {
      const [oldest = ''] = this.#calls.keys()
      this.#emit({ type: 'fault', fault: 'too_many_open', detail: 'calls' })
      this.#result(oldest, { content: 'Too many calls are open', isError: true })
    }
    const called = name ?? title ?? kind ?? 'tool'
    const call = { name: called, input: rawInput ?? {}, isAnnounced: false }
    this.#calls.set(id, call)
    return call
  }

  #tell(id: string, call: OpenCall): void {
    if (call.isAnnounced) return
    call.isAnnounced = true
    const block = { type: 'tool_use', id, name: call.name, input: call.input } as const
    this.#messageOf(this.#message).blocks.push(block)
    this.#emit({ type: 'part', message: this.#message, parent: null, block })
  }

  #result(id: string, { content, isError }: Pick<ToolResult, 'content' | 'isError'>): void {
    const call = this.#calls.get(id)
    if (!call) return
    this.#tell(id, call)
    this.#calls.delete(id)
    this.#ended.add(id)
    const { name: toolName, input } = call
    const result = { call: id, toolName, input, content, isError, parent: null }
    this.#emit({ type: 'result_part', ...result })
    this.#complete()
    this.#emit({ type: 'tool_result', ...result })
  }

  #complete(): void {
    const open = [...this.#open]
    this.#open.clear()
    this.#message = ''
    const model = this.#model()
    for (const [message, { blocks }] of open) {
      this.#emit({ type: 'message', message, parent: null, blocks, isAborted: false, model })
    }
  }
}

function resultOf({ content, rawOutput }: AcpToolCall): string {
  const texts = (content ?? []).flatMap(({ type, content: held }) => held?.text ?? `[${type}]`)
  if (texts.length > 0) return texts.join('\n')
  const output = isJsonObject(rawOutput) ? rawOutput['output'] : rawOutput
  if (typeof output === 'string') return output
  return rawOutput === undefined ? '' : shortJson(rawOutput, RESULT_CHARS_MAX)
}
