import { PROTOCOL_VERSION } from '@ag-ui/core'
import { messagesSnapshotEvents } from './messages-snapshot.ts'
import type { ThreadEncoder } from './thread-encoder.ts'
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
 * of the open items, so that later events continue them. When no turn is at work the run ends. While the
 * run is open it goes on with the turn that is at work.
 */
export function preludeOf(
  encoder: ThreadEncoder,
  options: PreludeOptions,
): { readonly events: readonly WireEvent[]; readonly isOpen: boolean } {
  const { thread: threadId, runId, timestamp, agent, ends } = options
  const outcome = encoder.outcome(agent)
  const isAsked = ends === 'when asked' && outcome.type === 'interrupt'
  const isOpen = encoder.run !== undefined && !isAsked
  const events = [
    wireEvent('RUN_STARTED', { threadId, runId, protocolVersion: PROTOCOL_VERSION }, timestamp),
    ...messagesSnapshotEvents(encoder.messages, { timestamp }),
    ...encoder.stateSnapshot(timestamp),
  ]
  if (!isOpen) {
    const finished = wireEvent('RUN_FINISHED', { threadId, runId, outcome }, timestamp)
    return { events: [...events, finished], isOpen }
  }
  const starts = encoder.run?.openStarts ?? []
  const at = timestamp === undefined ? {} : { timestamp }
  return { events: [...events, ...starts.map((start) => ({ ...start, ...at }))], isOpen }
}
