'use client'

import type { KnownMembers } from '../json/index.ts'
import type { ServedAgents, ServedAgentsOptions } from './served-agents.ts'
import { ServedAgentsStore } from './served-agents.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'

export interface UseServedAgentsOptions extends RoleOptions, Omit<ServedAgentsOptions, 'headers'> {}

const OPTIONS: KnownMembers<UseServedAgentsOptions> = {
  base: true,
  fetch: true,
  role: true,
  headers: true,
}

/** Reads which agents may be asked; `look` asks the server again. Options count as in `useThread`. */
export function useServedAgents(
  options: UseServedAgentsOptions = {},
): ServedAgents & Pick<ServedAgentsStore, 'look'> {
  const { store, snapshot } = useStore(
    {
      hook: 'useServedAgents',
      key: `${options.role} ${options.base}`,
      options,
      known: OPTIONS,
    },
    (headers) => new ServedAgentsStore({ ...options, headers }),
  )
  return { ...snapshot, look: store.look }
}
