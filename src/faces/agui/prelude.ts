import { PROTOCOL_VERSION } from '@ag-ui/core'
import { messagesSnapshotEvents } from './messages-snapshot.ts'
import type { ThreadEncoder } from './thread-encoder.ts'
import { wireEvent } from './wire-event.ts'
import type { WireEvent } from './wire-event.ts'

export interface PreludeOptions {
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

export interface Prelude {
  readonly events: readonly WireEvent[]
  /** The run goes on with the turn that is at work. */
  readonly isOpen: boolean
}

/**
 * The events with which a client joins a thread: the history and the state as snapshots, and the starts
 * of the open items, so that later events continue them. When no turn is at work the run ends.
 */
export function preludeOf(encoder: ThreadEncoder, options: PreludeOptions): Prelude {
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
    return {
      events: [...events, wireEvent('RUN_FINISHED', { threadId, runId, outcome }, timestamp)],
      isOpen,
    }
  }
  const starts = encoder.run?.openStarts ?? []
  const restarts = starts.map((start) => ({
    ...start,
    ...(timestamp === undefined ? {} : { timestamp }),
  }))
  return { events: [...events, ...restarts], isOpen }
}
