'use client'

import type { Json } from '../json/index.ts'
import type { ThreadPlace, ThreadSnapshot } from './thread-store.ts'
import { useBuiltView } from './use-thread.ts'
import type { FollowOptions } from './use-thread.ts'
import type { ViewBuilder } from './view.ts'

const NO_VIEW: ViewBuilder<undefined> = {
  take: () => undefined,
  reset: () => undefined,
  view: () => undefined,
}

/** A thread's state as the role may see it, and where the stream stands. */
export type LiveState<State> = ThreadPlace &
  Pick<ThreadSnapshot<undefined, State>, 'state' | 'carried'>

/** Reads the live state of a thread, for a page that needs none of its records. */
export function useThreadState<State = Json>(options: FollowOptions): LiveState<State> {
  return useBuiltView<undefined, State>({ ...options, state: true }, () => NO_VIEW)
}
