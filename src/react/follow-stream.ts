import type { Fetch, StatefulUpdate, SubscribeOptions } from '../client/index.ts'
import { subscribe } from '../client/index.ts'
import { CONNECTIONS_OF_BROWSER } from './held-connections.ts'
import type { Connecting } from './held-connections.ts'

export interface StreamOptions extends Omit<SubscribeOptions, 'signal'> {
  /** Follows the state of the thread too, as the reader's role may see it. */
  readonly state?: true
}

export interface StreamReader {
  readonly take: (update: StatefulUpdate) => void
  /** Takes what `headers` threw, after which nothing more comes. */
  readonly fail: (error: unknown) => void
}

/** Gives a reader the updates of a thread, and returns a function that ends that. */
export type FollowStream = (options: StreamOptions, reader: StreamReader) => () => void

/** Follows a thread over a stream of its own. */
export const followAlone: FollowStream = (options, reader) => {
  const ending = new AbortController()
  const stream = new OwnStream(options, { reader, signal: ending.signal })
  CONNECTIONS_OF_BROWSER.use(ending.signal, stream.read).catch(reader.fail)
  return () => ending.abort()
}

/** The place of one reader in a thread, over as many connections as it is given. */
class OwnStream {
  readonly #options: StreamOptions
  readonly #reader: StreamReader
  readonly #signal: AbortSignal
  #after: number
  #epoch: string | undefined
  /** The state as the latest turn brought it. */
  #asked: string | undefined
  #isFirst = true

  constructor(
    options: StreamOptions,
    { reader, signal }: { readonly reader: StreamReader; readonly signal: AbortSignal },
  ) {
    this.#options = options
    this.#reader = reader
    this.#signal = signal
    this.#after = options.after ?? -1
    this.#epoch = options.epoch
  }

  readonly read: Connecting = async (how) => {
    let head = Number.POSITIVE_INFINITY
    let hasState = !this.#options.state
    for await (const update of this.#connect()) {
      if (how === 'hold' || !this.#isKnown(update)) this.#reader.take(update)
      this.#isFirst = false
      this.#move(update)
      if (how === 'hold') continue
      if (update.type === 'status' && update.status === 'reconnecting') return 'more'
      head = headIn(update) ?? head
      hasState ||= update.type === 'state' || update.type === 'reset'
      if (hasState && this.#after >= head) return 'more'
    }
    return 'over'
  }

  #connect(): AsyncIterable<StatefulUpdate> {
    const { state, ...others } = this.#options
    const place = {
      after: this.#after,
      ...(this.#epoch !== undefined && { epoch: this.#epoch }),
    }
    const options = { fetch: fetchOrAbsent, ...others, ...place, signal: this.#signal }
    return state ? subscribe({ ...options, state }) : subscribe(options)
  }

  /** Whoever asks again every second is connected all the time, and knows the state. */
  #isKnown(update: StatefulUpdate): boolean {
    if (update.type === 'status') return update.status === 'connecting' && !this.#isFirst
    if (update.type !== 'state') return false
    const before = this.#asked
    this.#asked = JSON.stringify(update.state)
    return this.#asked === before
  }

  #move(update: StatefulUpdate): void {
    if (update.type === 'record') this.#after = update.record.seq
    else if (update.type === 'cursor') this.#after = update.seq
    else if (update.type === 'reset') this.#after = update.head
    if ('epoch' in update) this.#epoch = update.epoch
  }
}

/** The last position that the thread is told to hold. */
function headIn(update: StatefulUpdate): number | undefined {
  return 'head' in update ? update.head : undefined
}

/**
 * Asks for a thread that may still have to begin. A browser reports a 404 in its console, whatever the page
 * does with it, so the server is asked for 204 instead. A `fetch` of the page's own gets the 404.
 */
const fetchOrAbsent: Fetch = async (url, init) => {
  const headers = { ...Object.fromEntries(new Headers(init.headers)), 'throughline-absent': '204' }
  const answer = await fetch(url, { ...init, headers })
  if (answer.status !== 204) return answer
  return Response.json({ code: 'not_found', detail: 'There is no such thread' }, NOT_FOUND)
}

const NOT_FOUND = { status: 404, statusText: 'Not Found' }
