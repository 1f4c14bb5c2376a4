import type { ClientError, StatefulUpdate, ThreadStatus } from '../client/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { SENDS_OF_PAGE } from './accepted-sends.ts'
import { followAlone } from './follow-stream.ts'
import type { FollowStream, StreamOptions } from './follow-stream.ts'
import { THIS_PAGE } from './page-state.ts'
import type { PageState } from './page-state.ts'
import type { ViewBuilder } from './view.ts'

/** Changes are shown together, at most once in this time, so that streaming text renders per frame. */
const FRAME_MS = 16

/** A stream that is not open by then is late. */
const OPENING_MAX_MS = 10_000

/** The first pause before a refused thread is looked for again, in milliseconds; it doubles each time. */
const LOOK_AGAIN_MS = 3_000
/** The longest: a server counts wrong tokens by the minute. */
const LOOK_AGAIN_PAUSE_MAX_MS = 30_000

export interface ThreadStoreOptions extends StreamOptions {
  readonly page?: PageState
  readonly openingMaxMs?: number
  /** `look_again`: asks again, after pauses, for a thread that the server refuses; it may begin later. */
  readonly whenRefused?: 'give_up' | 'look_again'
}

/** The position of a reader in a thread. */
export interface ThreadPlace {
  /** `late`: still connecting, for so long that a person should be told. */
  readonly status: ThreadStatus['status'] | 'late'
  /** Why the stream was lost or refused; absent while it is neither. */
  readonly error: ClientError | undefined
  /** The last seq that the view covers. */
  readonly seq: number
  /** The last seq that the thread is known to hold; beyond `seq` while catching up. */
  readonly head: number
  readonly epoch: string | undefined
  /** When the person of the thread was erased, in milliseconds since the epoch. */
  readonly erasedAt?: number
}

export interface ThreadSnapshot<View, State = Json> extends ThreadPlace {
  readonly view: View
  /** With the option `state`: the latest state that the stream has shown; until then `undefined`. */
  readonly state: State | undefined
  /** With the option `state`: the latest frame of each name that the thread's application adds. */
  readonly carried: Readonly<Record<string, JsonObject>>
}

/**
 * Keeps one view of one thread for any number of listeners, over one subscription.
 *
 * Follows the thread while someone listens and the page can be seen, and goes on from where it was:
 * over HTTP/1.1 a browser has six connections for all its tabs of a site, and a hidden tab that kept
 * one would take it from the tab that is read.
 * The functions are bound, as `useSyncExternalStore` takes them.
 */
export class ThreadStore<View, State = Json> {
  readonly #builder: ViewBuilder<View>
  readonly #options: ThreadStoreOptions
  readonly #page: PageState
  readonly #followStream: FollowStream
  readonly #listeners = new Set<() => void>()
  /** Ahead of the snapshot until the next frame. */
  #place: ThreadPlace
  #state: State | undefined
  #carried: Readonly<Record<string, JsonObject>> = {}
  #snapshot: ThreadSnapshot<View, State>
  #stop: (() => void) | undefined
  #lateness: ReturnType<typeof setTimeout> | undefined
  #nextLook: ReturnType<typeof setTimeout> | undefined
  /** Refusals in a row. */
  #refusals = 0
  #unwatch: (() => void) | undefined
  #frame: 'none' | 'due' = 'none'
  #crash: { readonly error: unknown } | undefined

  constructor(
    builder: ViewBuilder<View>,
    options: ThreadStoreOptions,
    followStream: FollowStream = followAlone,
  ) {
    this.#builder = builder
    this.#followStream = followStream
    this.#options = options
    this.#page = options.page ?? THIS_PAGE
    const seq = options.after ?? -1
    const { epoch } = options
    this.#place = { status: 'connecting', error: undefined, seq, head: seq, epoch }
    this.#snapshot = this.#read()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const notify = (): void => listener()
    this.#listeners.add(notify)
    this.#unwatch ??= this.#watch()
    this.#attend()
    return () => {
      this.#listeners.delete(notify)
      // Later, because StrictMode and moved components listen again at once: not worth a connection.
      setTimeout(() => this.#attend())
    }
  }

  /** @throws what the fold threw, so that an error boundary shows it */
  readonly getSnapshot = (): ThreadSnapshot<View, State> => {
    if (this.#crash) throw this.#crash.error
    return this.#snapshot
  }

  /** Asks at once for a thread that was refused; until the answer, its status stays `refused`. */
  readonly lookAgain = (): void => {
    if (this.#place.status !== 'refused') return
    this.#rest()
    this.#attend()
  }

  #watch(): () => void {
    const stops = [
      this.#page.subscribe((change) => {
        // The pause before the next try was for a network that was away.
        if (change === 'online' && this.#place.status === 'reconnecting') this.#rest()
        this.#attend()
      }),
      // A request of this page may have begun the thread.
      SENDS_OF_PAGE.subscribe((url) => {
        if (url.startsWith(threadAddress(this.#options.url))) this.lookAgain()
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }

  /**
   * Follows while the page is shown, and rests while it is hidden: at once, because a phone freezes
   * a hidden page, timers and all, and its stream would be found dead long after it is shown again.
   */
  #attend(): void {
    if (this.#listeners.size === 0) {
      this.#unwatch?.()
      this.#unwatch = undefined
      return this.#rest()
    }
    if (this.#page.isHidden()) return this.#rest()
    if (this.#stop === undefined) this.#follow()
  }

  #follow(): void {
    const { seq, epoch } = this.#place
    const from = { ...this.#options, after: seq, ...(epoch === undefined ? {} : { epoch }) }
    this.#lateness = setTimeout(() => this.#beLate(), this.#options.openingMaxMs ?? OPENING_MAX_MS)
    this.#stop = this.#followStream(from, {
      take: (update) => this.#takeOrFail(update),
      fail: (error) => this.#fail(error),
    })
    // A shared stream delivers its updates so far before it returns, and one of them may crash the store.
    if (this.#crash) this.#stop()
  }

  #rest(): void {
    clearTimeout(this.#lateness)
    clearTimeout(this.#nextLook)
    this.#stop?.()
    this.#stop = undefined
  }

  #beLate(): void {
    if (this.#place.status !== 'connecting') return
    this.#change({ status: 'late' })
    this.#publishSoon()
  }

  #takeOrFail(update: StatefulUpdate): void {
    if (this.#crash) return
    try {
      this.#take(update)
    } catch (error) {
      this.#fail(error)
    }
    this.#publishSoon()
  }

  #fail(error: unknown): void {
    this.#crash = { error }
    this.#stop?.()
    this.#publishSoon()
  }

  #takeStatus(update: ThreadStatus): void {
    if (update.status === 'refused') this.#lookAgainLater(update.error)
    if (update.status === 'live') this.#refusals = 0
    // Looking again does not change the status until the server answers.
    if (update.status === 'connecting' && this.#place.status === 'refused') return
    this.#change(placeIn(update))
  }

  #lookAgainLater({ code }: ClientError): void {
    if (this.#options.whenRefused !== 'look_again' || code !== 'problem') return
    const pauseMs = Math.min(LOOK_AGAIN_MS * 2 ** this.#refusals++, LOOK_AGAIN_PAUSE_MAX_MS)
    this.#nextLook = setTimeout(this.lookAgain, pauseMs)
  }

  #take(update: StatefulUpdate): void {
    switch (update.type) {
      case 'record':
        this.#builder.take(update.record)
        return this.#moveTo(update.record.seq)
      case 'cursor':
        return this.#moveTo(update.seq)
      case 'reset': {
        const { state, head, epoch, erasedAt } = update
        this.#builder.reset(state, head)
        this.#showState(state)
        const erased = erasedAt === undefined ? {} : { erasedAt }
        return this.#change({ status: 'live', error: undefined, seq: head, head, epoch, ...erased })
      }
      case 'state':
        return this.#showState(update.state)
      case 'carried':
        this.#carried = { ...this.#carried, [update.name]: update.data }
        return undefined
      case 'status':
        return this.#takeStatus(update)
    }
  }

  #showState(state: Json): void {
    // The server is the authority on what a role sees of a state, and so on its type.
    if (this.#options.state) this.#state = state as State
  }

  #read(): ThreadSnapshot<View, State> {
    const view = this.#builder.view()
    return { ...this.#place, view, state: this.#state, carried: this.#carried }
  }

  #moveTo(seq: number): void {
    this.#change({ seq, head: Math.max(seq, this.#place.head) })
  }

  #change(change: Partial<ThreadPlace>): void {
    this.#place = { ...this.#place, ...change }
  }

  #publishSoon(): void {
    if (this.#frame === 'due') return
    this.#frame = 'due'
    // A timer, because animation frames stop in a hidden page, whose title may still have to change.
    setTimeout(() => {
      this.#frame = 'none'
      this.#snapshot = this.#read()
      for (const notify of this.#listeners) notify()
    }, FRAME_MS)
  }
}

/** The address under which the requests of a thread lie, of that of its events. */
function threadAddress(events: string): string {
  return events.replace(/events(\?.*)?$/, '')
}

function placeIn(update: ThreadStatus): Partial<ThreadPlace> {
  if (update.status === 'live') {
    const { status, head, epoch, erasedAt } = update
    return { status, error: undefined, head, epoch, ...(erasedAt !== undefined && { erasedAt }) }
  }
  return { status: update.status, error: 'error' in update ? update.error : undefined }
}
