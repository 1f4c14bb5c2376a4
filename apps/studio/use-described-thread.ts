import { useMemo, useState } from 'react'
import type { LogRecord } from 'throughline/log'
import { descriptionOf, tellThread } from './description.ts'
import type { ThreadDescription } from './description.ts'
import { hideStory } from './hide-story.ts'
import type { DescribedThread } from './thread-context.ts'
import type { Reveal } from './use-reveal.ts'

const PLAIN: ThreadDescription = { tellings: {} }

/** The story that records tell under the description of their application, or under a plain one. */
export function useDescribedThread(
  records: readonly LogRecord[],
  descriptions: readonly ThreadDescription[],
  { status }: Reveal,
): DescribedThread {
  const [known, setKnown] = useState<ThreadDescription>()
  // A long thread drops its first records, which may be the only ones that name the application.
  const found = known ?? descriptionOf(records, descriptions)
  if (found !== known) setKnown(found)
  const description = found ?? PLAIN
  const story = useMemo(() => tellThread(records, description), [records, description])
  return useMemo(
    () =>
      status === 'shown' || !description.personal
        ? { description, story, personalData: 'shown' }
        : { description, story: hideStory(story, description), personalData: 'hidden' },
    [description, story, status],
  )
}
