'use client'

import type { LogRecord } from '../log/index.ts'
import type { ThreadPlace } from './thread-store.ts'
import type { FollowOptions } from './use-thread.ts'
import { useBuiltView } from './use-thread.ts'
import { LatestRecords } from './view.ts'

/**
 * Reads the latest records of a thread themselves, up to 10,000, oldest first.
 *
 * A reset empties them; options count as in {@link useThread}.
 */
export function useEvents(
  options: FollowOptions,
): ThreadPlace & { readonly records: readonly LogRecord[] } {
  const { view, ...place } = useBuiltView(options, () => new LatestRecords())
  return { ...place, records: view }
}
