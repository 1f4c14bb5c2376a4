'use client'

import { useSyncExternalStore } from 'react'
import type { RoleOptions } from './role.ts'
import { headersFor } from './role.ts'
import type { SenderOptions, SendState } from './sender.ts'
import { Sender } from './sender.ts'
import { useKept } from './use-kept.ts'
import { useNewest } from './use-newest.ts'

export interface UseSendOptions extends RoleOptions, Omit<SenderOptions, 'headers' | 'now'> {}

/**
 * Sends what a person does to one address; see {@link Sender} for what a repeat means.
 *
 * The options count from the first render on; another `url` or `role` starts over with new ones;
 * `headers` count as they are in the newest rendering.
 */
export function useSend(
  url: string,
  options: UseSendOptions = {},
): SendState & Pick<Sender, 'send' | 'retry' | 'forget'> {
  const newest = useNewest(options)
  const sender = useKept(
    `${options.role} ${url}`,
    () => new Sender(url, { ...options, headers: () => headersFor(newest.current) }),
  )
  const state = useSyncExternalStore(sender.subscribe, sender.getSnapshot, sender.getSnapshot)
  const { send, retry, forget } = sender
  return { ...state, send, retry, forget }
}
