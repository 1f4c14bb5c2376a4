import { useEffect, useState } from 'react'
import { ClientError, membersOf } from 'throughline/client'
import { readCaseView } from '../broker/customer/case-view.ts'
import type { CaseView } from '../broker/customer/case-view.ts'
import { sessionRequest } from '../kit/index.ts'
import { standingOf } from './case-standing.ts'
import type { CaseStanding } from './case-standing.ts'

/** Asks the server about a case as its customer, who sees its steps. This browser stores no answer. */
export function useStartedCase(sessionId: string): CaseStanding | undefined {
  const [view, setView] = useState<CaseView>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    sessionRequest(`/api/session/${encodeURIComponent(sessionId)}`, 'customer', { signal }).then(
      (answer) => setView(readCaseView(membersOf(answer)['case'] ?? null)),
      (error: unknown) => {
        // The list still leads to the case, whose page names the fault.
        if (!(error instanceof ClientError) && !signal.aborted) throw error
      },
    )
    return () => controller.abort()
  }, [sessionId])
  return view && standingOf(view)
}
