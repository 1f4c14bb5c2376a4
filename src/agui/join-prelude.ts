import { ThreadEncoder, preludeFrames, preludeOf } from '../faces/index.ts'
import type { AguiFrame } from '../faces/index.ts'
import type { LogRecord } from '../log/index.ts'
import { appView } from './app-view.ts'
import type { AguiOptions } from './app-view.ts'

export interface JoinOptions<State = unknown> extends AguiOptions<State> {
  readonly thread: string
  /** The client's id of the run that joins. */
  readonly runId: string
  /** The surface whose messages the client sees; without one, those of no surface. */
  readonly surface?: string
}

export interface JoinPrelude {
  readonly frames: readonly AguiFrame[]
  /** A turn is at work: the run goes on with its events. Otherwise the frames end the run. */
  readonly isOpen: boolean
}

/**
 * Returns the first events for a client that joins a thread after its last record: history and state as
 * snapshots, and the start events of the open items.
 *
 * @throws {@link ApplicationError} `unknown_role`
 */
export function joinPrelude<State>(
  records: readonly LogRecord[],
  { thread, runId, surface, ...options }: JoinOptions<State>,
): JoinPrelude {
  const view = appView(options)
  const encoder = new ThreadEncoder({ view, includes: (of) => of === surface })
  if (view.state) encoder.follow(view.state)
  for (const record of records) encoder.take(record)
  const last = records.at(-1)
  const ends = 'when idle'
  const { events, isOpen } = preludeOf(encoder, { thread, runId, ends, timestamp: last?.ts })
  return { frames: preludeFrames(last?.seq ?? -1, events), isOpen }
}
