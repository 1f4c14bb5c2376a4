'use client'

import type { Json } from '../json/index.ts'
import { STREAMS_OF_PAGE } from './shared-streams.ts'
import type { ThreadSnapshot, ThreadStoreOptions } from './thread-store.ts'
import { ThreadStore } from './thread-store.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'
import type { FoldOptions, ViewBuilder } from './view.ts'
import { FoldedView } from './view.ts'

export interface FollowOptions extends ThreadStoreOptions, RoleOptions {}

export interface UseThreadOptions<View> extends FollowOptions, FoldOptions<View> {}

/**
 * Reads a live view of a thread, folded from its records; with `state: true` also its state.
 *
 * Hooks of one page that ask for the same share one stream: the same `url`, `role`, headers, `state` and
 * `fetch`.
 *
 * The options count from the first render on; another `url` or `role` starts over with new ones.
 * `headers` count as they are in the newest rendering, for each request.
 *
 * @throws what `fold` or `restore` throws
 */
export function useThread<View, State = Json>(
  options: UseThreadOptions<View>,
): ThreadSnapshot<View, State> {
  return useBuiltView(options, () => new FoldedView(options))
}

export function useBuiltView<View, State = Json>(
  options: FollowOptions,
  makeBuilder: () => ViewBuilder<View>,
): ThreadSnapshot<View, State> {
  const { snapshot } = useStore(`${options.role} ${options.url}`, options, (headers) => {
    const following = { ...options, headers }
    return new ThreadStore<View, State>(makeBuilder(), following, STREAMS_OF_PAGE.follow)
  })
  return snapshot
}
