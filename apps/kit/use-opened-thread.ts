import { useEffect, useState } from 'react'
import type { Json } from 'throughline/client'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import { keepSeed, offerSeed } from './recovery.ts'
import { EMPTY_VIEW } from './thread-view.ts'
import type { ThreadView } from './thread-view.ts'
import { isCaughtUp, useThreadView } from './use-thread-view.ts'
import { inBackground } from './in-background.ts'

export interface OpenedThread {
  readonly live: ThreadSnapshot<ThreadView>
  /** Absent until all that the thread held has arrived once, so that nothing old is read out as new. */
  readonly state: Json | undefined
}

/**
 * A page's thread, live: its messages, its records and its state. When the server
 * has another history than before, it is offered the page's seed, and the thread is opened anew.
 */
export function useOpenedThread(entry: PageEntry): OpenedThread {
  const [opening, setOpening] = useState(1)
  const [opened, setOpened] = useState(0)
  const live = useThreadView(entry, opening)
  const { state } = live
  const isCutOff = live.view.origin === 'restored'
  const isOpened = opened === opening && !isCutOff
  // The seed of another history must not replace the page's own before that was offered.
  const carried = isOpened ? live.carried['seed'] : undefined
  if (opened !== opening && state !== undefined && isCaughtUp(live)) setOpened(opening)
  useEffect(() => {
    if (!isCutOff) return
    inBackground(offerSeed(entry).then(() => setOpening((count) => count + 1)))
  }, [isCutOff, entry])
  useEffect(() => {
    if (carried) keepSeed(carried)
  }, [carried])
  if (isCutOff) return { live: { ...live, view: EMPTY_VIEW }, state: undefined }
  return { live, state: isOpened ? state : undefined }
}
