import { useEffect, useState, useSyncExternalStore } from 'react'
import { ThreadStore } from 'throughline/react'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from '../../kit/index.ts'
import { RunsViewBuilder } from './runs-view.ts'
import type { RunsView } from './runs-view.ts'

/** How often a thread that does not exist yet is looked for: another tab may begin it. */
const LOOK_AGAIN_MS = 3_000

export interface FollowedRuns {
  readonly live: ThreadSnapshot<RunsView>
  /** `opened` once all that the thread held has arrived; `absent` while the server knows none. */
  readonly phase: 'opening' | 'opened' | 'absent'
  /** Looks at once for a thread that has just been begun. */
  readonly reopen: () => void
}

/** Follows the runs of the page's thread, from its beginning on if it has none yet. */
export function useRuns({ thread, role }: PageEntry): FollowedRuns {
  const [store, setStore] = useState(() => storeOf({ thread, role }))
  const [seen, setSeen] = useState<'unknown' | 'absent'>('unknown')
  const live = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const { status, seq, head } = live
  if (status === 'refused' && seen === 'unknown') setSeen('absent')
  useEffect(() => {
    if (status !== 'refused') return undefined
    const timer = setTimeout(() => setStore(storeOf({ thread, role })), LOOK_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [status, thread, role])
  const caughtUp = status === 'live' && seq >= head ? 'opened' : 'opening'
  return {
    live,
    phase: seq < 0 && seen === 'absent' ? 'absent' : caughtUp,
    reopen: () => setStore(storeOf({ thread, role })),
  }
}

function storeOf({ thread, role }: PageEntry): ThreadStore<RunsView> {
  return new ThreadStore(new RunsViewBuilder(), {
    url: `/api/threads/${encodeURIComponent(thread)}/events`,
    headers: () => ({ 'throughline-role': role }),
  })
}
