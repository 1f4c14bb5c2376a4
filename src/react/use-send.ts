'use client'

import type { KnownMembers } from '../json/index.ts'
import type { SenderOptions, SendState } from './sender.ts'
import { Sender } from './sender.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'

export interface UseSendOptions extends RoleOptions, Omit<SenderOptions, 'headers' | 'now'> {}

const OPTIONS: KnownMembers<UseSendOptions> = {
  fetch: true,
  timeoutMs: true,
  role: true,
  headers: true,
}

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
  const { store, snapshot } = useStore(
    { hook: 'useSend', key: `${options.role} ${url}`, options, known: OPTIONS },
    (headers) => new Sender(url, { ...options, headers }),
  )
  const { send, retry, forget } = store
  return { ...snapshot, send, retry, forget }
}
