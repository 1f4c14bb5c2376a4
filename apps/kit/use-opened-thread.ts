import { useState } from 'react'
import type { Json } from 'throughline/log'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import type { ThreadView } from './thread-view.ts'
import { useThreadState } from './use-thread-state.ts'
import { isCaughtUp, useThreadView } from './use-thread-view.ts'

export interface OpenedThread {
  readonly live: ThreadSnapshot<ThreadView>
  /** Absent until all that the thread held has arrived once, so that nothing old is read out as new. */
  readonly state: Json | undefined
}

/** A page's thread, live: what was said and recorded, and the state that it adds up to. */
export function useOpenedThread(entry: PageEntry): OpenedThread {
  const live = useThreadView(entry)
  const state = useThreadState(entry, live)
  const [phase, setPhase] = useState<'opening' | 'opened'>('opening')
  if (phase === 'opening' && state !== undefined && isCaughtUp(live)) setPhase('opened')
  return { live, state: phase === 'opened' ? state : undefined }
}
