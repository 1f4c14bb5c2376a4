import type { Message } from '@ag-ui/core'
import { AguiMessages, isAgentEventType, turnOf } from '../../activity/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import type { View } from '../view.ts'
import { applyTo, storedEvent } from './wire-event.ts'

/**
 * The new messages of a turn, which its first record cannot say: they follow it in the same append.
 */
export class OpeningMessages {
  readonly #turn: string
  readonly #view: Pick<View, 'record'>
  readonly #messages = new AguiMessages()

  constructor(started: LogRecord, view: Pick<View, 'record'>) {
    this.#turn = turnOf(started)
    this.#view = view
  }

  get messages(): readonly Message[] {
    return this.#messages.messages.map(
      ({ id, content }) => ({ id, role: 'user', content }) as Message,
    )
  }

  /** Takes the next record; false when it is not of the opening any more. */
  take(record: LogRecord): boolean {
    const { type, origin } = record
    if (!isAgentEventType(type) || type === 'CUSTOM') return true
    if (turnOf(record) !== this.#turn || origin.source !== 'ui') return false
    if (!type.startsWith('TEXT_MESSAGE_')) return false
    const visible = this.#view.record(record)
    if (!visible) return true
    const event = storedEvent(type, visible)
    if (type === 'TEXT_MESSAGE_START' && event['role'] !== 'user') return true
    applyTo(this.#messages, event)
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
