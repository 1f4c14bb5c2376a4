import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import { fetchOfferingSeed } from './recovery.ts'
import type { ThreadView } from './thread-view.ts'
import type { TurnsState } from './turn-sender.ts'
import { TurnSender } from './turn-sender.ts'
import { keepUnsent, keptUnsent } from './unsent-messages.ts'

export type Turns = TurnsState & Pick<TurnSender, 'take' | 'retry' | 'forget'>

/** Sends a person's turns; see {@link TurnSender} for what becomes of one that fails. */
export function useTurns(entry: PageEntry, live: ThreadSnapshot<ThreadView>): Turns {
  const [sender] = useState(() => {
    const unsent = {
      kept: keptUnsent(entry),
      keep: (messages: Parameters<typeof keepUnsent>[1]) => keepUnsent(entry, messages),
    }
    return new TurnSender({ ...entry, fetch: fetchOfferingSeed(entry), unsent })
  })
  const state = useSyncExternalStore(sender.subscribe, sender.getSnapshot)
  // Before anything is painted: a message that has arrived is never seen twice.
  useLayoutEffect(() => sender.notice(live), [sender, live])
  useEffect(() => {
    addEventListener('online', sender.resume)
    return () => removeEventListener('online', sender.resume)
  }, [sender])
  const { take, retry, forget } = sender
  return { ...state, take, retry, forget }
}
