import { startOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { PROGRAM_MESSAGE_CHARS_MAX, PROGRAM_OPEN_MAX } from '../limits.ts'
import { RecentIds } from '../recent-ids.ts'
import type { MessageBlock, SessionEvent, ToolResult } from '../session/session-event.ts'
import type { ClaudeBlock } from './lines.ts'

interface OpenMessage {
  readonly id: string
  readonly parent: string | null
  readonly model: string
  readonly blocks: MessageBlock[]
  isAborted: boolean
  chars: number
  /** Results of its calls that came before it was complete. */
  readonly results: ToolResult[]
}

interface Line extends Pick<OpenMessage, 'id' | 'parent' | 'model' | 'isAborted'> {
  readonly content: readonly ClaudeBlock[]
}

interface Call {
  readonly name: string
  readonly input: Json
  /** Absent once the message that holds it is complete. */
  message: OpenMessage | undefined
}

type Emit = (event: SessionEvent) => void

/**
 * Puts messages together from the blocks that the CLI prints one a line. A message is complete when the same
 * speaker begins another one, or when its speaker's turn ends. A result waits for the message of its call.
 */
export class Messages {
  readonly #emit: Emit
  /** One for each speaker: messages of parallel sub-agents interleave. */
  readonly #open = new Map<string | null, OpenMessage>()
  readonly #calls = new Map<string, Call>()
  readonly #ids = new RecentIds()
  readonly #callIds = new RecentIds()

  constructor(emit: Emit) {
    this.#emit = emit
  }

  take(line: Line): void {
    const message = this.#messageOf(line)
    message.isAborted ||= line.isAborted
    for (const block of line.content) this.#add(message, block)
  }

  /** A result of a tool, in the speaker's name who called it. */
  answer(
    block: ClaudeBlock & { readonly type: 'tool_result' },
    told: Pick<ToolResult, 'parent' | 'fileChange'>,
  ): void {
    const { tool_use_id: id, is_error: isError } = block
    // A sub-agent's last message is complete once the call that started it has its result.
    this.complete(id)
    const call = this.#calls.get(id)
    if (!call) {
      return this.#emit({ type: 'fault', fault: 'stray_tool_result', detail: startOf(id, 200) })
    }
    this.#calls.delete(id)
    const result: ToolResult = {
      type: 'tool_result',
      call: id,
      toolName: call.name,
      input: call.input,
      content: textOf(block.content),
      isError: isError === true,
      ...told,
    }
    this.#emit({ ...result, type: 'result_part' })
    if (call.message) call.message.results.push(result)
    else this.#emit(result)
  }

  /** The message that a speaker has open is complete. */
  complete(parent: string | null): void {
    const message = this.#open.get(parent)
    if (!message) return
    this.#open.delete(parent)
    const { id, blocks, isAborted, model } = message
    this.#emit({ type: 'message', message: id, parent, blocks, isAborted, model })
    for (const call of this.#calls.values()) if (call.message === message) call.message = undefined
    for (const result of message.results) this.#emit(result)
  }

  completeAll(): void {
    for (const parent of this.#open.keys()) this.complete(parent)
  }

  #messageOf({ parent, id, model }: Line): OpenMessage {
    const open = this.#open.get(parent)
    if (open?.id === id && open.chars <= PROGRAM_MESSAGE_CHARS_MAX) return open
    this.complete(parent)
    // A message that is too long goes on in another one under its id.
    if (open?.id !== id && !this.#ids.add(`${parent ?? ''} ${id}`)) {
      this.#emit({ type: 'fault', fault: 'id_used_twice', detail: `message ${startOf(id, 200)}` })
    }
    const message = { id, parent, model, blocks: [], isAborted: false, chars: 0, results: [] }
    this.#open.set(parent, message)
    const [first] = this.#open.keys()
    if (this.#open.size > PROGRAM_OPEN_MAX && first !== undefined) {
      this.#emit({ type: 'fault', fault: 'too_many_open', detail: 'messages' })
      this.complete(first)
    }
    return message
  }

  #add(message: OpenMessage, block: ClaudeBlock): void {
    if (block.type === 'tool_result') return
    if (block.type === 'tool_use' && !this.#register(message, block)) return
    message.blocks.push(block)
    message.chars += 'text' in block ? block.text.length : JSON.stringify(block.input).length
    this.#emit({ type: 'part', message: message.id, parent: message.parent, block })
  }

  #register(message: OpenMessage, { id, name, input }: MessageBlock & { type: 'tool_use' }) {
    if (!this.#callIds.add(id)) {
      this.#emit({ type: 'fault', fault: 'id_used_twice', detail: `call ${startOf(id, 200)}` })
      return false
    }
    this.#calls.set(id, { name, input, message })
    const [first] = this.#calls.keys()
    if (this.#calls.size > PROGRAM_OPEN_MAX && first !== undefined) {
      this.#emit({ type: 'fault', fault: 'too_many_open', detail: 'calls' })
      this.#calls.delete(first)
    }
    return true
  }
}

function textOf(content: (ClaudeBlock & { type: 'tool_result' })['content']): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${part.type}]`))
    .join('\n')
}
