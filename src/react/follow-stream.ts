import type { StatefulUpdate, SubscribeOptions } from '../client/index.ts'
import { subscribe } from '../client/index.ts'

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
export const followAlone: FollowStream = ({ state, ...options }, { take, fail }) => {
  const updates: AsyncIterableIterator<StatefulUpdate> = state
    ? subscribe({ ...options, state })
    : subscribe(options)
  const takeAll = async (): Promise<void> => {
    for await (const update of updates) take(update)
  }
  takeAll().catch(fail)
  return () => {
    updates.return?.().catch(fail)
  }
}
