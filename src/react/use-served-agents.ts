'use client'

import type { ServedAgents, ServedAgentsOptions } from './served-agents.ts'
import { ServedAgentsStore } from './served-agents.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'

export interface UseServedAgentsOptions extends RoleOptions, Omit<ServedAgentsOptions, 'headers'> {}

/** Reads which agents may be asked; `look` asks the server again. Options count as in `useThread`. */
export function useServedAgents(
  options: UseServedAgentsOptions = {},
): ServedAgents & Pick<ServedAgentsStore, 'look'> {
  const { store, snapshot } = useStore(
    `${options.role} ${options.base}`,
    options,
    (headers) => new ServedAgentsStore({ ...options, headers }),
  )
  return { ...snapshot, look: store.look }
}
