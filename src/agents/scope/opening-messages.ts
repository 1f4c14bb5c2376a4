import { agentEvent } from '../../activity/index.ts'
import type { Conversation } from '../../activity/index.ts'
import { stableId } from '../../gate/index.ts'
import type { EventLog, LogRecord, NewEvent, Origin } from '../../log/index.ts'
import { invalidRequest } from './client-request.ts'
import type { ClientMessage } from './client-request.ts'
import type { TurnScope } from './scope.ts'
import { messageRecordId } from './wire-ids.ts'

export interface MessagePlace {
  readonly log: Pick<EventLog, 'find'>
  readonly thread: string
  readonly conversation: Pick<Conversation, 'messages'>
}

/** The ids of these that are already ids of messages of the thread. */
export async function knownMessages(
  place: MessagePlace,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = await Promise.all(ids.map((id) => isHeld(place, id)))
  return new Set(ids.filter((_id, at) => held[at]))
}

/** The id that a client wants for a message, unless the thread holds a message under it. */
export async function freeMessageId<State>(
  { thread, log, gate }: Pick<TurnScope<State>, 'thread' | 'log' | 'gate'>,
  wanted: string | undefined,
): Promise<string | undefined> {
  if (wanted === undefined) return undefined
  const { conversation } = await gate.latest(thread)
  return (await isHeld({ log, thread, conversation }, wanted)) ? undefined : wanted
}

/**
 * The messages that the thread does not hold yet, each once.
 *
 * @throws {@link AgentError} `invalid_request` when another author has a message of this id
 */
export async function newMessages(
  place: MessagePlace,
  messages: readonly ClientMessage[],
  author: Origin,
): Promise<readonly ClientMessage[]> {
  const unique = messages.filter(({ id }, at) => messages.findIndex((one) => one.id === id) === at)
  const held = await Promise.all(unique.map(({ id }) => isHeldBy(place, id, author)))
  return unique.filter((_message, at) => !held[at])
}

/**
 * Puts a person's message on record. Its first record is found by the message's id; the others have ids only
 * where the same message may come twice, which one under an id made just now cannot.
 */
export function spokenMessage(
  thread: string,
  { id: messageId, text: delta, files = [] }: ClientMessage,
  { origin, isFresh = false }: { readonly origin: Origin; readonly isFresh?: boolean },
): readonly NewEvent[] {
  const idOf = (part: string) =>
    isFresh ? {} : { id: stableId(thread, 'wire', 'message', messageId, part) }
  const metadata = { throughline: { files: [...files] } }
  const content = { messageId, delta, ...(files.length > 0 && { metadata }) }
  return [
    {
      ...agentEvent('TEXT_MESSAGE_START', { messageId, role: 'user' }, origin),
      id: messageRecordId(thread, messageId),
    },
    { ...agentEvent('TEXT_MESSAGE_CONTENT', content, origin), ...idOf('content') },
    { ...agentEvent('TEXT_MESSAGE_END', { messageId }, origin), ...idOf('end') },
  ]
}

async function isHeld({ log, thread, conversation }: MessagePlace, id: string): Promise<boolean> {
  if (conversation.messages.some((message) => message.id === id)) return true
  return (await log.find(thread, messageRecordId(thread, id))) !== undefined
}

async function isHeldBy(place: MessagePlace, id: string, author: Origin): Promise<boolean> {
  const { log, thread, conversation } = place
  const record = await log.find(thread, messageRecordId(thread, id))
  const message = conversation.messages.find((each) => each.id === id)
  const isAnothers = record ? !isBy(record, author) : message && message.role !== 'user'
  if (isAnothers) {
    const why = 'the thread holds a message of another author under this id'
    throw invalidRequest(`Cannot append the message "${id}": ${why}`)
  }
  return record !== undefined || message !== undefined
}

function isBy({ type, origin }: LogRecord, { source, actor, surface }: Origin): boolean {
  const isSame = origin.source === source && origin.actor === actor && origin.surface === surface
  return isSame && type === 'TEXT_MESSAGE_START'
}
