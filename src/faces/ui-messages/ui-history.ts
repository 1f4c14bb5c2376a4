import { filesIn } from '../../activity/index.ts'
import type { InputFile } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'
import type { Subject } from '../face.ts'
import { STATE_PART } from './ui-chunk.ts'
import { UiReply } from './ui-message.ts'
import type { UiMessage } from './ui-message.ts'
import { UiThread } from './ui-thread.ts'

export interface UiThreadHistory {
  readonly messages: readonly UiMessage[]
  readonly state: Json
  /** The seq of the newest record. */
  readonly head: number
}

/**
 * The messages of a thread as a page of the AI SDK takes them at its start. The reply that is at work is left
 * out: its stream brings all of it.
 */
export async function uiHistory(
  { thread, view }: Subject,
  { log, surface }: { readonly log: EventLog; readonly surface?: string | undefined },
): Promise<UiThreadHistory> {
  const history = new UiHistory({ view, includes: (of) => of === surface })
  const pace = new Pace()
  for await (const records of log.read(thread)) {
    for (const record of records) history.take(record)
    await pace.rest()
  }
  const { state, seq: head } = await view.state(thread)
  return { messages: withState(history.messages, state), state, head }
}

/** The newest reply has the state, as its stream had it. */
function withState(messages: readonly UiMessage[], state: Json): readonly UiMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.map((message, each) => {
    const parts = message.parts.filter(({ type }) => type !== STATE_PART)
    const shown = each === at ? [...parts, { type: STATE_PART, id: 'state', data: state }] : parts
    return { ...message, parts: shown }
  })
}

interface Written {
  readonly id: string
  text: string
  readonly files: InputFile[]
}

class UiHistory {
  readonly #parts: ConstructorParameters<typeof UiThread>[0]
  readonly #thread: UiThread
  /** What people wrote, and the replies by their ids. */
  readonly #entries: (Written | UiReply)[] = []
  readonly #replies = new Map<string, UiReply>()
  /** The replies that have a place among the entries. */
  readonly #placed = new Set<string>()

  constructor(parts: ConstructorParameters<typeof UiThread>[0]) {
    this.#parts = parts
    this.#thread = new UiThread(parts)
  }

  get messages(): readonly UiMessage[] {
    const { turn, asked } = this.#thread
    const atWork = turn === undefined ? undefined : this.#thread.replyOf(turn)
    return this.#entries.flatMap((entry) => {
      if (!(entry instanceof UiReply)) return [writtenMessage(entry)]
      return entry.id === atWork ? [] : [withoutClosed(entry.message, asked)]
    })
  }

  take(record: LogRecord): void {
    const before = this.#thread.turn
    const said = this.#thread.take(record)
    const { turn } = this.#thread
    if (turn !== undefined && turn !== before) this.#reply(this.#thread.replyOf(turn)).begin(turn)
    if (record.origin.source === 'ui') this.#write(record)
    for (const { reply, chunks } of said) {
      const shown = this.#reply(reply)
      for (const chunk of chunks) {
        if (!this.#placed.has(reply)) this.#entries.push(shown)
        this.#placed.add(reply)
        shown.take(chunk)
      }
    }
  }

  #reply(id: string): UiReply {
    const known = this.#replies.get(id) ?? new UiReply(id)
    this.#replies.set(id, known)
    return known
  }

  #write(record: LogRecord): void {
    const visible = this.#parts.includes(record.origin.surface) && this.#parts.view.record(record)
    if (!visible) return
    const { type, data } = visible
    const id = textOf(data, 'messageId')
    if (type === 'TEXT_MESSAGE_START') this.#entries.push({ id, text: '', files: [] })
    if (type !== 'TEXT_MESSAGE_CONTENT') return
    const written = this.#entries.findLast((entry) => entry.id === id)
    if (!written || written instanceof UiReply) return
    written.text += textOf(data, 'delta')
    written.files.push(...filesIn(data))
  }
}

function writtenMessage({ id, text, files }: Written): UiMessage {
  const shown = files.map(({ source }) => {
    const mediaType = source.mimeType ?? 'application/octet-stream'
    const url = source.type === 'url' ? source.value : `data:${mediaType};base64,${source.value}`
    return { type: 'file', mediaType, url }
  })
  return { id, role: 'user', parts: [{ type: 'text', text }, ...shown] }
}

/** A question that nobody can answer any more is not shown as open. */
function withoutClosed(message: UiMessage, asked: ReadonlySet<string>): UiMessage {
  const parts = message.parts.map((part) => {
    const { approval } = part
    if (part['state'] === 'approval-requested' && !asked.has(textOf(approval ?? null, 'id'))) {
      return { ...part, state: 'output-denied' }
    }
    const data = part['data'] ?? null
    const isOpen = part.type === 'data-throughline-wait' && textOf(data, 'status') === 'open'
    if (!isOpen || asked.has(textOf(data, 'interruptId'))) return part
    return { ...part, data: { ...(data as JsonObject), status: 'closed' } }
  })
  return { ...message, parts }
}
