'use client'

import type { KnownMembers } from '../json/index.ts'
import { ThreadsStore } from './threads-store.ts'
import type { ListedThreads, ThreadsStoreOptions } from './threads-store.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'

export interface UseThreadsOptions
  extends
    RoleOptions,
    Pick<ThreadsStoreOptions, 'base' | 'app' | 'where' | 'orderBy' | 'limit' | 'fetch'> {}

const OPTIONS: KnownMembers<UseThreadsOptions> = {
  base: true,
  app: true,
  where: true,
  orderBy: true,
  limit: true,
  fetch: true,
  role: true,
  headers: true,
}

/**
 * Reads live the threads that the page's person may enter, the one that moved last first, or by `orderBy`. Options count as in
 * `useThread`; another `app`, `where`, `orderBy` or `limit` begins another list.
 *
 * @example
 * const { threads } = useThreads({ app: 'claims', where: { status: 'open' } })
 */
export function useThreads(options: UseThreadsOptions = {}): ListedThreads {
  const { role, app, where, orderBy, limit, base } = options
  const { snapshot } = useStore(
    {
      hook: 'useThreads',
      key: JSON.stringify([role, app, where, orderBy, limit, base]),
      options,
      known: OPTIONS,
    },
    (headers) => new ThreadsStore({ ...options, headers }),
  )
  return snapshot
}
