import { useState } from 'react'

export interface Latest<Entry> {
  readonly visible: readonly Entry[]
  /** Entries before them that are not drawn. */
  readonly hidden: number
  /** Draws as many again, and from then on everything that comes. */
  readonly showEarlier: () => void
}

/** The end of a list that may be very long. */
export function useLatest<Entry>(entries: readonly Entry[], shownMax: number): Latest<Entry> {
  const [chosen, choose] = useState<number>()
  const from = Math.min(chosen ?? entries.length, Math.max(0, entries.length - shownMax))
  return {
    visible: from === 0 ? entries : entries.slice(from),
    hidden: from,
    showEarlier: () => choose(Math.max(0, from - shownMax)),
  }
}
