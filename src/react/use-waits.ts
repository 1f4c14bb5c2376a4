'use client'

import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'
import { WaitsStore } from './waits-store.ts'
import type { Waits, WaitsStoreOptions } from './waits-store.ts'

export interface UseWaitsOptions extends RoleOptions, Pick<WaitsStoreOptions, 'base' | 'app'> {}

/** A live inbox, with a function that answers. */
export type LiveWaits = Waits & Pick<WaitsStore, 'answer'>

/**
 * Reads live what the page's person may decide or answer, over all threads. Options count as in `useThread`.
 *
 * @example
 * const { waits, answer } = useWaits()
 * const approve = (wait: ThreadWait) => answer(wait, { approved: true })
 */
export function useWaits(options: UseWaitsOptions = {}): LiveWaits {
  const { store, snapshot } = useStore(
    `${options.role} ${options.app} ${options.base}`,
    options,
    (headers) => new WaitsStore({ ...options, headers }),
  )
  return { ...snapshot, answer: store.answer }
}
