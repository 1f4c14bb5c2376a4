import { AsyncLocalStorage } from 'node:async_hooks'

/** A process of the simulated world: it dies, stands still, and has a clock of its own. */
export class SimulatedProcess {
  readonly name: string
  isDead = false
  /** Nothing of it runs before this time. */
  standsStillUntil = 0
  /** What its clock shows beside the world's, in milliseconds. */
  clockError = 0

  constructor(name: string) {
    this.name = name
  }
}

interface Due {
  at: number
  readonly order: number
  readonly of: SimulatedProcess | null
  /** Undefined once it is cancelled. */
  work: (() => void) | undefined
}

const BEGINS_AT = Date.UTC(2026, 0, 1)
const running = new AsyncLocalStorage<SimulatedProcess | null>()
const REAL = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  clearImmediate: globalThis.clearImmediate,
  dateNow: Date.now,
  performanceNow: performance.now.bind(performance),
  mathRandom: Math.random,
  randomUUID: crypto.randomUUID.bind(crypto),
}

/**
 * All timers of this Node process, run in the order of a time that stands still between them. What is left
 * to Node are promises, whose order does not change from one run to the next.
 */
export class VirtualTime {
  readonly #queue: Due[] = []
  readonly #random: () => number
  #now = BEGINS_AT
  #order = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Milliseconds since the epoch, whole ones. */
  get now(): number {
    return Math.floor(this.#now)
  }

  /** The process that runs now; null in the world outside of them. */
  get process(): SimulatedProcess | null {
    return running.getStore() ?? null
  }

  /** Runs work as a process. */
  as<Result>(process: SimulatedProcess | null, work: () => Result): Result {
    return running.run(process, work)
  }

  /** Calls `work` as a process after `ms`, unless it has died by then. */
  after(ms: number, work: () => void, of = this.process): { readonly cancel: () => void } {
    const at = this.#now + Math.max(0, ms)
    const due: Due = { at, order: this.#order++, of, work }
    this.#insert(due)
    return {
      cancel: () => {
        due.work = undefined
      },
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve)
    })
  }

  /** Lets time pass until `end`. */
  async run(end: number): Promise<void> {
    for (;;) {
      await promisesSettled()
      const next = this.#queue.at(-1)
      if (!next || next.at > end) break
      this.#queue.pop()
      const { of, work } = next
      if (!work || of?.isDead) continue
      this.#now = Math.max(this.#now, next.at)
      if (of && of.standsStillUntil > this.#now)
        this.#insert(Object.assign(next, { at: of.standsStillUntil }))
      else running.run(of, work)
    }
    this.#now = end
  }

  /** Replaces the timers, clocks and sources of chance of this Node process. */
  install(): void {
    const start = (ms: number, work: () => void) => new VirtualTimer(this, ms, work)
    const stop = (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.close()
    }
    Object.assign(globalThis, {
      setTimeout: (work: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
        start(Math.max(1, ms), () => work(...args)),
      setImmediate: (work: (...args: unknown[]) => void, ...args: unknown[]) =>
        start(0, () => work(...args)),
      setInterval: (work: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) => {
        const timer = start(Math.max(1, ms), () => {
          timer.refresh()
          work(...args)
        })
        return timer
      },
      clearTimeout: stop,
      clearInterval: stop,
      clearImmediate: stop,
    })
    Date.now = () => this.now + (this.process?.clockError ?? 0)
    performance.now = () => this.#now - BEGINS_AT
    Math.random = this.#random
    crypto.randomUUID = () => this.uuid()
  }

  uuid(): ReturnType<Crypto['randomUUID']> {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.#random() * 16).toString(16))
    const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)]
    return `${a.join('')}-${b.join('')}-4${c.join('')}-8${d.join('')}-${hex.slice(20).join('')}`
  }

  /** The queue is kept with the next due last. */
  #insert(due: Due): void {
    const { at, order } = due
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#queue[middle]
      if (other && (other.at > at || (other.at === at && other.order > order))) low = middle + 1
      else high = middle
    }
    this.#queue.splice(low, 0, due)
  }
}

export function uninstall(): void {
  const { dateNow, performanceNow, mathRandom, randomUUID, ...timers } = REAL
  Object.assign(globalThis, timers)
  Date.now = dateNow
  performance.now = performanceNow
  Math.random = mathRandom
  crypto.randomUUID = randomUUID
}

/** Everything that promises do is done before Node's next immediate. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => {
    REAL.setImmediate(resolve)
  })
}

class VirtualTimer {
  readonly #time: VirtualTime
  readonly #ms: number
  readonly #work: () => void
  readonly #of: SimulatedProcess | null
  #due

  constructor(time: VirtualTime, ms: number, work: () => void) {
    this.#time = time
    this.#ms = ms
    this.#work = work
    this.#of = time.process
    this.#due = time.after(ms, work)
  }

  close(): this {
    this.#due.cancel()
    return this
  }

  refresh(): this {
    this.#due.cancel()
    this.#due = this.#time.after(this.#ms, this.#work, this.#of)
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
