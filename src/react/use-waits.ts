'use client'

import type { KnownMembers } from '../json/index.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'
import { WaitsStore } from './waits-store.ts'
import type { Waits, WaitsStoreOptions } from './waits-store.ts'

export interface UseWaitsOptions extends RoleOptions, Pick<WaitsStoreOptions, 'base' | 'app'> {}

const OPTIONS: KnownMembers<UseWaitsOptions> = { base: true, app: true, role: true, headers: true }

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
    {
      hook: 'useWaits',
      key: `${options.role} ${options.app} ${options.base}`,
      options,
      known: OPTIONS,
    },
    (headers) => new WaitsStore({ ...options, headers }),
  )
  return { ...snapshot, answer: store.answer }
}
