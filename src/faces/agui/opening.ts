import type { Message, UserMessage } from '@ag-ui/core'
import { contentOf } from './content-text.ts'
import { isAgentEventType, turnOf } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import type { View } from '../view.ts'

/**
 * The new messages of a turn, which its first record cannot say: they follow it in the same append.
 */
export class OpeningMessages {
  readonly #turn: string
  readonly #view: Pick<View, 'record'>
  readonly #messages = new Map<string, UserMessage['content']>()

  constructor(started: LogRecord, view: Pick<View, 'record'>) {
    this.#turn = turnOf(started)
    this.#view = view
  }

  get messages(): readonly Message[] {
    return Array.from(this.#messages, ([id, content]) => ({ id, role: 'user', content }))
  }

  /** Takes the next record; false when it is not of the opening any more. */
  take(record: LogRecord): boolean {
    const { type, origin } = record
    if (!isAgentEventType(type) || type === 'CUSTOM') return true
    if (turnOf(record) !== this.#turn || origin.source !== 'ui') return false
    if (!type.startsWith('TEXT_MESSAGE_')) return false
    const data = this.#view.record(record)?.data
    if (data === undefined) return true
    const id = textOf(data, 'messageId')
    const before = this.#messages.get(id)
    const isNew = type === 'TEXT_MESSAGE_START' && textOf(data, 'role') === 'user'
    if (before !== undefined) this.#messages.set(id, contentOf(before, data))
    else if (isNew) this.#messages.set(id, '')
    return true
  }
}

/** Reads the new messages of a turn from the records after its first. */
export async function readOpening(
  log: EventLog,
  started: LogRecord,
  view: Pick<View, 'record'>,
): Promise<readonly Message[]> {
  const opening = new OpeningMessages(started, view)
  for await (const records of log.read(started.thread, { after: started.seq })) {
    if (!records.every((record) => opening.take(record))) break
  }
  return opening.messages
}
