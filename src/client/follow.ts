import { Backoff } from './backoff.ts'
import type { Fetch } from './connection.ts'
import { Cursor } from './cursor.ts'
import type { Frame } from './frames.ts'
import { resume } from './resume.ts'
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

/** Follows a thread over as many connections as it takes. No batch is empty. */
export async function* follow<Shown extends Item>(
  options: FollowOptions<Shown>,
): AsyncGenerator<readonly Update<Shown>[], void> {
  const { url, headers, fetch, sleep, silenceMaxMs, signal } = options
  const cursor = new Cursor(options, options.frames)
  const backoff = new Backoff(options.random)
  let protocolFailures = 0
  const take = (frame: Frame): Update<Shown> | undefined => {
    if (frame.type === 'comment') {
      // A heartbeat after the opening shows a connection that holds.
      if (cursor.isLive) backoff.succeeded()
      return undefined
    }
    const update = cursor.take(frame)
    if (update && MOVES.has(update.type)) {
      backoff.succeeded()
      protocolFailures = 0
    }
    return update
  }
  const prepare = () => {
    const sent = { accept: 'text/event-stream', ...headers() }
    const target = `${url}${url.includes('?') ? '&' : '?'}${cursor.connecting()}`
    // Not wrapped in a Request: Node drops the tie to its signal once the Request is collected.
    return (ending: AbortSignal) =>
      fetch(target, { headers: sent, signal: ending, cache: 'no-store' })
  }
  yield [{ type: 'status', status: 'connecting' }]
  const steps = resume({ prepare, take, backoff, sleep, silenceMaxMs: () => silenceMaxMs, signal })
  for await (const step of steps) {
    if (step.type === 'news') yield step.news
    if (step.type !== 'cut') continue
    const { error } = step
    if (error.code === 'protocol') protocolFailures++
    if (error.final || protocolFailures >= PROTOCOL_FAILURES_MAX) {
      yield [{ type: 'status', status: 'refused', error }]
      return
    }
    yield [{ type: 'status', status: 'reconnecting', error }]
  }
}
