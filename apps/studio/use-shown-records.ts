import { threadUrl } from '../kit/index.ts'
import { useState } from 'react'
import type { LogRecord } from 'throughline/client'
import { useThread } from 'throughline/react'
import type { ThreadPlace } from 'throughline/react'
import type { PageEntry } from '../kit/index.ts'
import { withReveal } from './use-reveal.ts'

interface Shown {
  /** The page follows the thread from the record after this one. */
  readonly after: number
  readonly reveal: number | undefined
}

/**
 * The records of a thread as the server shows them, under a reveal or without. While they are read again,
 * the page keeps the redacted ones that it had, and none that a reveal has shown.
 */
export function useShownRecords(
  { thread, role }: PageEntry,
  { after, reveal }: Shown,
): ThreadPlace & { readonly records: readonly LogRecord[] } {
  const url = `${threadUrl(thread)}/events`
  const { records, ...place } = useThread({
    url: withReveal(url, reveal),
    role,
    records: true,
    after,
  })
  const [redacted, keep] = useState(records)
  const isReading = place.status !== 'live' && records.length < redacted.length
  if (reveal === undefined && !isReading && records !== redacted) keep(records)
  return { ...place, records: isReading ? redacted : records }
}
