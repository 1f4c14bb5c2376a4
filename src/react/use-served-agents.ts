'use client'

import { useSyncExternalStore } from 'react'
import { headersFor } from './role.ts'
import type { RoleOptions } from './role.ts'
import type { ServedAgents, ServedAgentsOptions } from './served-agents.ts'
import { ServedAgentsStore } from './served-agents.ts'
import { useKept } from './use-kept.ts'
import { useNewest } from './use-newest.ts'

export interface UseServedAgentsOptions extends RoleOptions, Omit<ServedAgentsOptions, 'headers'> {}

/** Reads which agents may be asked; `look` asks the server again. Options count as in `useThread`. */
export function useServedAgents(
  options: UseServedAgentsOptions = {},
): ServedAgents & Pick<ServedAgentsStore, 'look'> {
  const newest = useNewest(options)
  const store = useKept(
    `${options.role} ${options.base}`,
    () => new ServedAgentsStore({ ...options, headers: () => headersFor(newest.current) }),
  )
  const served = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot)
  return { ...served, look: store.look }
}
