import { threadUrl } from './api.ts'
import { useThread } from 'throughline/react'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import { fetchOfferingSeed } from './recovery.ts'
import { EMPTY_VIEW, foldView } from './thread-view.ts'
import type { ThreadView } from './thread-view.ts'

/** Follows the thread of a page; each further opening begins with its first record again. */
export function useThreadView(entry: PageEntry, opening: number): ThreadSnapshot<ThreadView> {
  const { thread, role } = entry
  return useThread({
    url: `${threadUrl(thread)}/events?opening=${opening}`,
    role,
    state: true,
    fetch: fetchOfferingSeed(entry),
    initial: EMPTY_VIEW,
    fold: foldView,
    restore: () => ({ ...EMPTY_VIEW, origin: 'restored' }),
  })
}

/** Whether everything that the thread is known to hold has arrived. */
export function isCaughtUp({ status, seq, head }: ThreadSnapshot<ThreadView>): boolean {
  return status === 'live' && seq >= head
}
