import { useState } from 'react'
import { textOf } from 'throughline/json'
import { ClientError } from 'throughline/client'
import type { PageEntry } from '../../kit/index.ts'
import { sessionRequest } from '../../kit/index.ts'

export interface ReadLink {
  readonly status: 'not asked' | 'reading' | 'failed'
  readonly link: string | undefined
  readonly read: () => void
}

/** Reads the customer's link again, as after a reload: nothing is recorded of it. */
export function useCustomerLink({ thread, role }: PageEntry): ReadLink {
  const [status, setStatus] = useState<ReadLink['status']>('not asked')
  const [link, setLink] = useState<string>()
  const read = (): void => {
    setStatus('reading')
    sessionRequest(`/api/session/${encodeURIComponent(thread)}/customer-link`, role).then(
      (answer) => {
        setStatus('not asked')
        setLink(textOf(answer, 'customerLink'))
      },
      (error: unknown) => {
        if (error instanceof ClientError) setStatus('failed')
      },
    )
  }
  return { status, link, read }
}
