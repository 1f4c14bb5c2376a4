import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { Message, ToolCall } from '@ag-ui/core'
import { itemEventOf } from '../../activity/index.ts'
import type { ItemKind } from '../../activity/index.ts'
import { messageEvents, splitTail } from './message-events.ts'
import { messagesSnapshotEvents } from './messages-snapshot.ts'
import type { ThreadEncoder } from './thread-encoder.ts'
import { boundOutcome } from './tanstack-binding.ts'
import { wireEvent } from './wire-event.ts'
import type { WireEvent } from './wire-event.ts'

interface PreludeOptions {
  readonly thread: string
  /** The client's id of its run. */
  readonly runId: string
  /** The agent whose questions end the run, where agents have no surface. */
  readonly agent?: string | undefined
  /** Whether the run ends here, although a turn may be at work. */
  readonly ends: 'when idle' | 'when asked'
  /** The time of the last record that was taken. */
  readonly timestamp: number | undefined
}

/**
 * The events with which a client joins a thread: the history and the state as snapshots, and the starts
 * of the open items, so that later events continue them. The messages that are open, or that a question is
 * about, are streamed from their start instead: some clients keep what a run asks in the messages of that run
 * alone. When no turn is at work the run ends. While the run is open it goes on with the turn that is at work.
 */
export function preludeOf(
  encoder: ThreadEncoder,
  options: PreludeOptions,
): { readonly events: readonly WireEvent[]; readonly isOpen: boolean } {
  const { thread: threadId, runId, timestamp, agent, ends } = options
  const outcome = encoder.outcome(agent)
  const isAsked = ends === 'when asked' && outcome.type === 'interrupt'
  const isOpen = encoder.run !== undefined && !isAsked
  const starts = isOpen ? (encoder.run?.openStarts ?? []) : []
  const texts = openIds(starts, 'text message')
  const calls = openIds(starts, 'tool call')
  const asked = !isOpen && outcome.type === 'interrupt' ? outcome.interrupts : []
  const wanted = new Set([...calls, ...asked.flatMap(({ toolCallId = [] }) => toolCallId)])
  const { restated, streamed } = splitTail(
    encoder.messages,
    (message) => texts.has(message.id) || callsIn(message).some(({ id }) => wanted.has(id)),
  )
  const isStreamed = namedBy(streamed)
  const at = timestamp === undefined ? {} : { timestamp }
  const events = [
    wireEvent('RUN_STARTED', { threadId, runId, protocolVersion: PROTOCOL_VERSION }, timestamp),
    ...messagesSnapshotEvents(restated, { timestamp }),
    ...encoder.stateSnapshot(timestamp),
    ...starts.filter((start) => !isStreamed(start)).map((start) => ({ ...start, ...at })),
    ...messageEvents(streamed, { texts, calls }, timestamp),
  ]
  if (isOpen) return { events, isOpen }
  const end = { threadId, runId, outcome: boundOutcome(outcome, runId) }
  const finished = wireEvent('RUN_FINISHED', end, timestamp)
  return { events: [...events, finished], isOpen }
}

function openIds(starts: readonly WireEvent[], kind: ItemKind): ReadonlySet<string> {
  const items = starts.map((start) => itemEventOf(start.type, start))
  return new Set(items.flatMap((item) => (item?.kind === kind ? [item.id] : [])))
}

/** Whether the start of an item belongs to one of the messages. */
function namedBy(messages: readonly Message[]): (start: WireEvent) => boolean {
  const texts = new Set(messages.map(({ id }) => id))
  const calls = new Set(messages.flatMap((message) => callsIn(message).map(({ id }) => id)))
  return (start) => {
    const item = itemEventOf(start.type, start)
    if (item?.kind === 'text message') return texts.has(item.id)
    return item?.kind === 'tool call' && calls.has(item.id)
  }
}

function callsIn(message: Message): readonly ToolCall[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []) : []
}
