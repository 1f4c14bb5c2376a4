import { Backoff } from './backoff.ts'
import { ClientError } from './client-error.ts'
import { type Fetch, connect } from './connection.ts'
import { Cursor } from './cursor.ts'
import type { Frame } from './frames.ts'
import type { Item, Update } from './thread-update.ts'
import type { ReadFrames } from './view.ts'

/** Connections in a row that broke the wire without getting anywhere. */
const PROTOCOL_FAILURES_MAX = 5

export interface FollowOptions<Shown extends Item> {
  readonly url: string
  readonly after: number
  readonly epoch: string | undefined
  readonly frames: ReadFrames<Shown>
  readonly headers: () => Readonly<Record<string, string>>
  readonly fetch: Fetch
  readonly random: () => number
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly silenceMaxMs: number
  readonly signal: AbortSignal
}

/** Updates that move a reader on. */
const MOVES: ReadonlySet<string> = new Set(['record', 'events', 'cursor'])

type Batch<Shown extends Item> = readonly Update<Shown>[]

/** Follows a thread over as many connections as it takes. No batch is empty. */
export async function* follow<Shown extends Item>(
  options: FollowOptions<Shown>,
): AsyncGenerator<Batch<Shown>, void> {
  const place: Place<Shown> = {
    cursor: new Cursor(options, options.frames),
    backoff: new Backoff(options.random),
    protocolFailures: 0,
  }
  yield [{ type: 'status', status: 'connecting' }]
  while (!options.signal.aborted) {
    const error = yield* followOnce(options, place)
    if (options.signal.aborted) return
    if (error.code === 'protocol') place.protocolFailures++
    if (error.final || place.protocolFailures >= PROTOCOL_FAILURES_MAX) {
      yield [{ type: 'status', status: 'refused', error }]
      return
    }
    yield [{ type: 'status', status: 'reconnecting', error }]
    await options.sleep(place.backoff.failed(error.retryAfterMs), options.signal)
  }
}

/** The state of a reader that outlives a connection. */
interface Place<Shown extends Item> {
  readonly cursor: Cursor<Shown>
  readonly backoff: Backoff
  protocolFailures: number
}

async function* followOnce<Shown extends Item>(
  options: FollowOptions<Shown>,
  place: Place<Shown>,
): AsyncGenerator<Batch<Shown>, ClientError> {
  const query = place.cursor.connecting()
  const url = `${options.url}${options.url.includes('?') ? '&' : '?'}${query}`
  let live = false
  try {
    for await (const frames of connect({ ...options, url, headers: options.headers() })) {
      // Frames after the opening, heartbeats too, show a connection that holds.
      if (live) place.backoff.succeeded()
      const { updates, fault } = read(frames, place)
      live ||= updates.length > 0
      if (updates.length > 0) yield updates
      if (fault) return fault
    }
  } catch (error) {
    if (error instanceof ClientError) return error
    throw error
  }
  return new ClientError('network', 'Cannot follow the thread: the connection ended')
}

/** Updates before a fault are kept: the cursor has moved past them, so they will not come again. */
function read<Shown extends Item>(
  frames: readonly Frame[],
  place: Place<Shown>,
): { updates: Batch<Shown>; fault?: ClientError } {
  const updates: Update<Shown>[] = []
  try {
    for (const frame of frames) {
      if (frame.type === 'retry') {
        place.backoff.setBase(frame.delayMs)
        continue
      }
      const update = place.cursor.take(frame)
      if (update === undefined) continue
      updates.push(update)
      if (MOVES.has(update.type)) {
        place.backoff.succeeded()
        place.protocolFailures = 0
      }
    }
    return { updates }
  } catch (fault) {
    if (fault instanceof ClientError) return { updates, fault }
    throw fault
  }
}
