'use client'

import type { Json, KnownMembers } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { STREAMS_OF_PAGE } from './shared-streams.ts'
import type { ThreadPlace, ThreadSnapshot, ThreadStoreOptions } from './thread-store.ts'
import { ThreadStore } from './thread-store.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'
import type { FoldOptions, ViewBuilder } from './view.ts'
import { FoldedView, LatestRecords, NO_VIEW } from './view.ts'

export interface FollowOptions extends ThreadStoreOptions, RoleOptions {}

/** `Rec`: the records of the thread, such as `RecordOf<typeof domain>`. */
export interface UseThreadOptions<View, Rec = LogRecord>
  extends FollowOptions, FoldOptions<View, Rec> {}

const OPTIONS: KnownMembers<UseThreadOptions<unknown>> = {
  url: true,
  role: true,
  headers: true,
  state: true,
  records: true,
  fold: true,
  initial: true,
  restore: true,
  after: true,
  epoch: true,
  fetch: true,
  whenRefused: true,
  page: true,
  openingMaxMs: true,
  random: true,
  sleep: true,
  silenceMaxMs: true,
}

/** A thread's state as the role may see it, and where the stream stands. */
export type LiveState<State> = ThreadPlace &
  Pick<ThreadSnapshot<undefined, State>, 'state' | 'carried'>

/** The latest records of a thread, up to 10,000, oldest first; a reset empties them. */
export type LiveRecords<State = Json, Rec = LogRecord> = LiveState<State> & {
  readonly records: readonly Rec[]
}

/** The options of a page that folds nothing. */
export interface UseThreadStateOptions extends FollowOptions {
  readonly fold?: never
  readonly records?: never
}

export interface UseThreadRecordsOptions extends FollowOptions {
  readonly fold?: never
  readonly records: true
}

/**
 * Reads a thread live. By default it gives the state, as the role may see it; with `fold` a view that the page
 * folds from the records; with `records: true` the latest records themselves. `state: true` adds the state to
 * the last two.
 *
 * Hooks of one page that ask for the same share one stream: the same `url`, `role`, headers, `state` and
 * `fetch`.
 *
 * The options count from the first render on; another `url` or `role` starts over with new ones.
 * `headers` count as they are in the newest rendering, for each request.
 *
 * @throws what `fold` or `restore` throws
 * @example
 * const { state, status } = useThread<Claim>({ url: '/api/threads/claim-7/events' })
 */
export function useThread<View, State = Json, Rec = LogRecord>(
  options: UseThreadOptions<View, Rec>,
): ThreadSnapshot<View, State>
export function useThread<State = Json, Rec = LogRecord>(
  options: UseThreadRecordsOptions,
): LiveRecords<State, Rec>
export function useThread<State = Json>(options: UseThreadStateOptions): LiveState<State>
export function useThread(
  options: UseThreadStateOptions | UseThreadRecordsOptions | UseThreadOptions<unknown>,
): LiveState<Json> {
  const isStateAlone = options.fold === undefined && !options.records
  const followed = isStateAlone ? { ...options, state: true as const } : options
  const key = `${options.role} ${options.url}`
  const call = { hook: 'useThread', key, options, known: OPTIONS }
  const { snapshot } = useStore(call, (headers) => {
    const following = { ...followed, headers }
    return new ThreadStore(builderFor(options), following, STREAMS_OF_PAGE.follow)
  })
  if (options.fold !== undefined || !options.records) return snapshot
  const { view, ...live } = snapshot
  return { ...live, records: view } as LiveRecords
}

function builderFor(
  options: UseThreadStateOptions | UseThreadRecordsOptions | UseThreadOptions<unknown>,
): ViewBuilder<unknown> {
  if (options.fold !== undefined) return new FoldedView(options)
  return options.records ? new LatestRecords() : NO_VIEW
}
