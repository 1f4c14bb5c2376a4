import type { RunsParts } from '../agents/index.ts'
import type { Cursors, EventLog, Keys, Sha256, Snapshots, ThreadIndex } from '../log/index.ts'
import type { AnyApp } from './define-app.ts'

export interface ThroughlineParts extends Pick<
  RunsParts<never>,
  'prices' | 'threadLimits' | 'retryDelayMs' | 'clock' | 'holdings'
> {
  readonly log: EventLog
  readonly apps: readonly AnyApp[]
  /** The store of the list of threads with open work; without it each start looks at all threads. */
  readonly cursors?: Cursors | undefined
  /** The store of the index of threads; without it each process computes the index again. */
  readonly threadIndex?: ThreadIndex | undefined
  /** The store of snapshots; used by applications that name their reducers. */
  readonly snapshots?: Snapshots | undefined
  /** The keys of threads that can be erased; needed where an application is `erasable`. */
  readonly keys?: Keys | undefined
  /** Whether other keys than those that sealed the log may take over; `refuse` by default. */
  readonly lostKeys?: 'refuse' | 'accept' | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly id: () => string
  readonly sha256: Sha256
  /** Learns of faults in work that no request waits for; by default they are warnings of the process. */
  readonly onFault?: (error: unknown, thread?: string) => void
  /** Closes the store that was opened with it. */
  readonly close?: () => Promise<void>
}
