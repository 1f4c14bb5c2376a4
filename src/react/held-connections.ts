import { sleep } from '../client/index.ts'
import { SENDS_OF_PAGE } from './accepted-sends.ts'

/**
 * Connections that all windows of a site hold open together. Over HTTP/1.1 a browser has six for each site: one
 * is left to those who take turns, and one to requests.
 */
export const HELD_CONNECTIONS_MAX = 4
/** The pause of a window that takes turns, in milliseconds. */
export const TURN_PAUSE_MS = 1_000

/** The part of `navigator.locks` that is needed; all windows of a site share its names. */
export interface SharedLocks {
  request<Result>(
    name: string,
    options: { readonly ifAvailable?: boolean },
    work: (lock: object | null) => Promise<Result>,
  ): Promise<Result>
}

/**
 * What a piece of work does with its connection: it holds it for as long as it likes, or asks, reads what there
 * is and lets go. Says whether there is more to come.
 */
export type Connecting = (how: 'hold' | 'ask') => Promise<'more' | 'over'>

/**
 * Shares the connections of a browser among the windows of a site. A window that finds none free asks anew each
 * second, one window at a time, until one is: so it stays up to date, and its other requests are not held up.
 */
export class HeldConnections {
  readonly #locks: SharedLocks | undefined
  readonly #pauseMs: number
  readonly #pauses = new Set<AbortController>()

  /** Without locks each piece of work holds its connection. */
  constructor(locks: SharedLocks | undefined, pauseMs: number = TURN_PAUSE_MS) {
    this.#locks = locks
    this.#pauseMs = pauseMs
  }

  /** Works until the work is over, or the signal fires. */
  async use(signal: AbortSignal, work: Connecting): Promise<void> {
    const locks = this.#locks
    if (!locks) {
      await work('hold')
      return
    }
    while (!signal.aborted) {
      if (await this.#held(locks, work)) return
      const turn = async () => (signal.aborted ? 'over' : work('ask'))
      if ((await locks.request(`${NAME} turn`, {}, turn)) === 'over') return
      await this.#pause(signal)
    }
  }

  /** Ends the pauses of this window: it has sent something, and wants to see what came of it. */
  readonly askNow = (): void => {
    for (const pause of this.#pauses) pause.abort()
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const pause = new AbortController()
    this.#pauses.add(pause)
    await sleep(this.#pauseMs, AbortSignal.any([signal, pause.signal]))
    this.#pauses.delete(pause)
  }

  async #held(locks: SharedLocks, work: Connecting): Promise<boolean> {
    for (let at = 1; at <= HELD_CONNECTIONS_MAX; at++) {
      const isDone = await locks.request(`${NAME} ${at}`, { ifAvailable: true }, async (lock) => {
        if (lock) await work('hold')
        return lock !== null
      })
      if (isDone) return true
    }
    return false
  }
}

const NAME = 'throughline connection'

/** Newer versions of HTTP carry any number of streams over one connection. */
function locksOfPage(): SharedLocks | undefined {
  if (typeof document === 'undefined') return undefined
  // Of this type there are no other entries.
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isShared = page !== undefined && /^h[23]/.test(page.nextHopProtocol)
  // Absent where the page came over plain HTTP from another computer.
  const { locks } = navigator as { readonly locks?: SharedLocks }
  return isShared ? undefined : locks
}

/** The connections of the browser: its windows share no provider that could hold them. */
export const CONNECTIONS_OF_BROWSER = new HeldConnections(locksOfPage())
SENDS_OF_PAGE.subscribe(CONNECTIONS_OF_BROWSER.askNow)
