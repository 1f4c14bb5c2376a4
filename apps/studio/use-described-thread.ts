import { useMemo, useState } from 'react'
import type { LogRecord } from 'throughline/client'
import { descriptionOf, tellThread } from './description.ts'
import type { ThreadDescription } from './description.ts'
import type { DescribedThread } from './thread-context.ts'
import type { Reveal } from './use-reveal.ts'

const PLAIN: ThreadDescription = { tellings: {} }

interface Held {
  readonly records: readonly LogRecord[]
  /** The first record of the thread. */
  readonly first: readonly LogRecord[]
}

/** The story that records tell under the description of their application, or under a plain one. */
export function useDescribedThread(
  { records, first }: Held,
  descriptions: readonly ThreadDescription[],
  shown: Reveal,
): DescribedThread {
  const [known, setKnown] = useState<ThreadDescription>()
  // A long thread drops its first records, which may be the only ones that name the application.
  const found = known ?? descriptionOf([...first, ...records], descriptions)
  if (found !== known) setKnown(found)
  const description = found ?? PLAIN
  const reveal = shown.status === 'shown' ? shown.seq : undefined
  return useMemo(
    () => ({
      description,
      story: tellThread(records, description),
      personalData: records.some(isRedacted) ? 'hidden' : 'shown',
      reveal,
    }),
    [description, records, reveal],
  )
}

/** The server gives records without a hash to a reader who does not see all of them. */
function isRedacted({ hash }: LogRecord): boolean {
  return hash === ''
}
