import type { ReactNode } from 'react'
import type { CaseView } from './case-view.ts'
import { FirmContext, NextStepsContext, useFetchedFirm, useFetchedNextSteps } from './use-firm.ts'

export interface FirmProviderProps {
  readonly view: CaseView
  readonly children: ReactNode
}

/** Reads what the firm says of itself once for all cards. */
export function FirmProvider({ view, children }: FirmProviderProps) {
  return (
    <FirmContext value={useFetchedFirm()}>
      <NextStepsContext value={useFetchedNextSteps(view)}>{children}</NextStepsContext>
    </FirmContext>
  )
}
