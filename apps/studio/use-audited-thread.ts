import { useEffect } from 'react'
import type { LogRecord } from 'throughline/client'
import type { ThreadPlace } from 'throughline/react'
import type { PageEntry } from '../kit/index.ts'
import type { ThreadDescription } from './description.ts'
import type { DescribedThread } from './thread-context.ts'
import { useDescribedThread } from './use-described-thread.ts'
import { erasureIn } from './use-erasure.ts'
import type { Erased } from './use-erasure.ts'
import { useReveal } from './use-reveal.ts'
import type { Revealing } from './use-reveal.ts'
import { useShownRecords } from './use-shown-records.ts'
import { useOlderRecords } from './use-thread-start.ts'
import type { ThreadStart } from './use-thread-start.ts'

export interface AuditedThread {
  readonly place: ThreadPlace
  readonly records: readonly LogRecord[]
  /** The last record of those. */
  readonly last: number
  readonly described: DescribedThread
  readonly revealing: Revealing
  readonly erased: Erased | undefined
  /** Whether a reveal has ended, or has nothing to show any more. */
  readonly isOver: boolean
}

interface Asked {
  readonly entry: PageEntry
  readonly descriptions: readonly ThreadDescription[]
  readonly start: ThreadStart
  /** The first record of an older window. */
  readonly from: number | undefined
}

/** A thread as the page shows it: its latest records or an older window, under a reveal or without. */
export function useAuditedThread({ entry, descriptions, start, from }: Asked): AuditedThread {
  const revealing = useReveal(entry)
  const reveal = revealing.reveal.status === 'shown' ? revealing.reveal.seq : undefined
  const { records: latest, ...place } = useShownRecords(entry, { after: start.after, reveal })
  const older = useOlderRecords(entry.thread, { from, reveal })
  const records = older ?? latest
  const held = { records, first: start.first }
  const described = useDescribedThread(held, descriptions, revealing.reveal)
  const erased = erasureIn(latest)
  const isOver = reveal !== undefined && (place.status === 'refused' || erased !== undefined)
  const { hide } = revealing
  useEffect(() => {
    if (isOver) hide()
  }, [isOver, hide])
  const last = older ? (records.at(-1)?.seq ?? place.seq) : place.seq
  return { place, records, last, described, revealing, erased, isOver }
}
