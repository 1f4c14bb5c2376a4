import { useEffect, useState } from 'react'
import { ClientError, textOf } from 'throughline/client'
import type { PageEntry } from '../../kit/index.ts'
import { sessionRequest } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'

export interface ReadLink {
  readonly status: 'not asked' | 'reading' | 'failed'
  readonly link: string | undefined
  readonly read: () => void
}

/**
 * Reads the customer's link: at once when the case is handed over on this page, after a reload when the
 * installer asks for it. Nothing is recorded of it.
 */
export function useCustomerLink(
  { thread, role }: PageEntry,
  caseStatus: InstallerCase['status'],
): ReadLink {
  const [openedAt] = useState(caseStatus)
  const [asked, setAsked] = useState(0)
  const [answer, setAnswer] = useState<{ readonly to: number; readonly link?: string }>()
  const isWanted = asked > 0 || (openedAt === 'intake' && caseStatus !== 'intake')
  useEffect(() => {
    if (!isWanted) return
    sessionRequest(`/api/session/${encodeURIComponent(thread)}/customer-link`, role).then(
      (body) => setAnswer({ to: asked, link: textOf(body, 'customerLink') }),
      (error: unknown) => {
        if (error instanceof ClientError) setAnswer({ to: asked })
      },
    )
  }, [thread, role, isWanted, asked])
  const link = answer?.link
  const isOpen = isWanted && link === undefined
  const status = !isOpen ? 'not asked' : answer?.to === asked ? 'failed' : 'reading'
  return { status, link, read: () => setAsked((count) => count + 1) }
}
