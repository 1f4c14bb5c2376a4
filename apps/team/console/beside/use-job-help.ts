import { useEffect, useState } from 'react'
import { JOB_HELP_WAIT_MAX_MS, jobBody, withSuggestions } from './job-draft.ts'
import type { JobDraft } from './job-draft.ts'
import { askTeam } from '../team-requests.ts'
import type { TeamView } from '../view/team-view.ts'
import { WORDS } from '../words.ts'

export interface JobHelp {
  readonly isWaiting: boolean
  readonly notice: string | undefined
  readonly ask: (draft: JobDraft) => Promise<void>
  readonly forget: () => void
}

/** Asks the team to fill in a job. Late suggestions are ignored. */
export function useJobHelp(
  given: TeamView['jobHelp'],
  change: (of: (draft: JobDraft) => JobDraft) => void,
): JobHelp {
  /** The position of the request in the log; the suggestions stand behind it. */
  const [asked, setAsked] = useState<number>()
  const [notice, setNotice] = useState<string>()
  // Set while drawing, so that no draft is shown without the suggestions that have come.
  if (asked !== undefined && given && given.key > asked) {
    setAsked(undefined)
    setNotice(WORDS.jobs.helped)
    change((draft) => withSuggestions(draft, given.suggestions))
  }
  useEffect(() => {
    if (asked === undefined) return undefined
    const timer = setTimeout(() => {
      setAsked(undefined)
      setNotice(WORDS.jobs.noHelp)
    }, JOB_HELP_WAIT_MAX_MS)
    return () => clearTimeout(timer)
  }, [asked])
  return {
    isWaiting: asked !== undefined,
    notice,
    async ask(draft) {
      setNotice(WORDS.jobs.helping)
      const answer = await askTeam('/api/job-help', { formState: jobBody(draft) })
      if (typeof answer === 'string') return setNotice(answer)
      setAsked(answer.eventId)
    },
    forget: () => setNotice(undefined),
  }
}
