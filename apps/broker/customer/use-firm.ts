import { createContext, useContext } from 'react'
import type { FirmDetails } from '../disclosures/firm-details.ts'
import type { NextSteps } from '../disclosures/next-steps.ts'
import type { CaseView } from './case-view.ts'
import { useAnswer } from './use-answer.ts'

/** Read once for all cards, so that none is drawn again when it comes. */
export const FirmContext = createContext<FirmDetails | undefined>(undefined)

/** Returns the firm's contact details and times; undefined until they arrive. */
export function useFirm(): FirmDetails | undefined {
  return useContext(FirmContext)
}

export function useFetchedFirm(): FirmDetails | undefined {
  // Our own server shapes it.
  return (useAnswer('/api/firm') ?? undefined) as FirmDetails | undefined
}

/** Read once for the cards of the end, which follow on each other. */
export const NextStepsContext = createContext<NextSteps | undefined>(undefined)

/** By which days the steps after an accepted offer are done, as far as the firm says; nothing until it is read. */
export function useNextSteps(): NextSteps | undefined {
  return useContext(NextStepsContext)
}

export function useFetchedNextSteps({
  sessionId,
  selectedOfferId,
}: CaseView): NextSteps | undefined {
  const url = `/api/session/${encodeURIComponent(sessionId)}/next-steps`
  const answer = useAnswer(selectedOfferId === undefined ? undefined : url)
  // Our own server shapes it.
  return answer === undefined ? undefined : ((answer ?? {}) as NextSteps)
}
