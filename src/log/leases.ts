import { LeaseWaits } from './lease-waits.ts'
import { LogError } from './log-error.ts'

/** Leases of one log that are held at once. */
export const LEASES_MAX = 100_000

/** The right to work on a thread, or on whatever else has a name, until it ends. */
export interface Lease {
  readonly name: string
  /** Greater than every earlier fence of the name. */
  readonly fence: number
  /** Aborts when the lease ends: it was released, was lost, or the log was closed. */
  readonly signal: AbortSignal
  /**
   * Calls a function when the lease ends, at once when it has ended. Returns a function that takes the
   * call back. A listener on the signal costs much more, as does each signal that is read and aborted.
   */
  onEnd(act: () => void): () => void
  /**
   * Ends the lease. The fence is stale at once; the name is free when the promise resolves, which
   * waits for appends under the fence that are on their way to the disk. A second call does nothing.
   */
  release(): Promise<void>
}

/**
 * Leases on names, each with one holder at a time. Once `acquire` has answered with a lease, no append
 * under an earlier fence of the name is stored.
 */
export interface Leases {
  /** Whether other processes may hold them too. */
  readonly isShared: boolean
  /**
   * Answers with nothing while the lease is held, by the caller's own process too.
   *
   * @throws {@link LogError} `busy`, `closed`
   */
  acquire(name: string): Promise<Lease | undefined>
  /**
   * Resolves when the lease may be acquired, at once when it is free. All who wait are woken and one of
   * them acquires it: the others wait again. Rejects with the signal's reason when the signal aborts.
   *
   * @throws {@link LogError} `busy`, `closed`
   */
  freed(name: string, signal: AbortSignal): Promise<void>
}

/** The leases that this process holds, and its waits for those of others. */
export abstract class OwnLeases {
  protected readonly held = new Map<string, HeldLease>()
  protected readonly waits = new LeaseWaits()
  protected isClosed = false

  /** Returns the refusal of an append under a fence that this process knows to be stale. */
  refusal(name: string, fence: number | undefined): LogError | undefined {
    if (fence === undefined) return undefined
    const held = this.held.get(name)
    if (held?.fence === fence && !held.hasEnded) return undefined
    return fencedOff(name, fence)
  }

  /** False while the lease is held. */
  protected mayAcquire(name: string, action: string): boolean {
    this.assertOpen(action)
    if (this.held.has(name)) return false
    if (this.held.size < LEASES_MAX) return true
    throw new LogError('busy', `Cannot ${action}: ${LEASES_MAX} leases are held; try again later`)
  }

  protected assertOpen(action: string): void {
    if (this.isClosed) throw new LogError('closed', `Cannot ${action}: the log is closed`)
  }

  /** Ends all leases, and rejects all waits. Returns the leases. */
  protected endAll(): readonly HeldLease[] {
    this.isClosed = true
    const leases = [...this.held.values()]
    this.held.clear()
    for (const lease of leases) lease.end('the log is closed')
    this.waits.close()
    return leases
  }
}

/** The leases of a log with one process: they never expire, and end with the process. */
export class ProcessLeases extends OwnLeases implements Leases {
  readonly isShared = false
  readonly #committing: (name: string) => Promise<void> | undefined
  #lastFence = 0

  /** `committing` resolves once appends under the name's fence that are being committed have settled. */
  constructor(committing: (name: string) => Promise<void> | undefined = () => undefined) {
    super()
    this.#committing = committing
  }

  async acquire(name: string): Promise<Lease | undefined> {
    if (!this.mayAcquire(name, `acquire the lease of "${name}"`)) return undefined
    const lease = new HeldLease(name, ++this.#lastFence, () => this.#free(lease))
    this.held.set(name, lease)
    return lease
  }

  async freed(name: string, signal: AbortSignal): Promise<void> {
    this.assertOpen(`wait for the lease of "${name}"`)
    signal.throwIfAborted()
    if (this.held.has(name)) await this.waits.wait(name, signal)
  }

  close(): void {
    this.endAll()
  }

  async #free(lease: HeldLease): Promise<void> {
    const { name } = lease
    const committing = this.#committing(name)
    if (committing) await committing
    if (this.held.get(name) !== lease) return
    this.held.delete(name)
    this.waits.wake(name)
  }
}

/** The refusal of an append under a fence that is not the current one. */
export function fencedOff(thread: string, fence: number): LogError {
  const state = `its lease with fence ${fence} has ended; acquire it again and read on`
  return new LogError('fenced', `Cannot append to "${thread}": ${state}`)
}

/** Shared by all leases, because creating an error for each release costs more than the lease. */
const RELEASED = new LogError('fenced', 'Cannot go on under a released lease; acquire it again')

/** A lease of this process. Its signal is made when it is first read. */
export class HeldLease implements Lease {
  readonly name: string
  readonly fence: number
  readonly #free: () => Promise<void>
  #controller: AbortController | undefined
  #acts: readonly (() => void)[] = []
  #ended: LogError | undefined
  #released: Promise<void> | undefined

  constructor(name: string, fence: number, free: () => Promise<void>) {
    this.name = name
    this.fence = fence
    this.#free = free
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#ended && !this.#controller.signal.aborted) this.#controller.abort(this.#ended)
    return this.#controller.signal
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  onEnd(act: () => void): () => void {
    if (this.#ended) act()
    else this.#acts = [...this.#acts, act]
    return () => {
      this.#acts = this.#acts.filter((each) => each !== act)
    }
  }

  release(): Promise<void> {
    this.#end(RELEASED)
    this.#released ??= this.#free()
    return this.#released
  }

  end(why: string): void {
    const state = `Cannot go on under the lease of "${this.name}": ${why}`
    this.#end(new LogError('fenced', `${state}; acquire it again and read on`))
  }

  #end(why: LogError): void {
    if (this.#ended) return
    this.#ended = why
    this.#controller?.abort(why)
    for (const act of this.#acts) act()
  }
}
