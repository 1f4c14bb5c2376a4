import { useCallback, useEffect, useState } from 'react'
import { ClientError, isJsonArray, membersOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import type { PageEntry } from '../kit/index.ts'
import { sessionRequest, threadUrl } from '../kit/index.ts'

/** An address that is read under a reveal. */
export function withReveal(url: string, reveal: number | undefined): string {
  if (reveal === undefined) return url
  return `${url}${url.includes('?') ? '&' : '?'}reveal=${reveal}`
}

/** Whether personal data is shown; `seq` is the record of its reveal. */
export type Reveal =
  | { readonly status: 'hidden' | 'recording' | 'failed' }
  | { readonly status: 'shown'; readonly seq: number }

export interface Revealing {
  readonly reveal: Reveal
  /** Shows personal data once the log holds this reason. */
  readonly ask: (type: string, reason: string) => void
  readonly hide: () => void
}

/** The server redacts personal data until a reveal is on record, and the page reads without it once it is left. */
export function useReveal({ thread, role }: PageEntry): Revealing {
  const [reveal, setReveal] = useState<Reveal>({ status: 'hidden' })
  const hide = useCallback(() => setReveal({ status: 'hidden' }), [])
  useEffect(() => {
    // A page that the browser keeps would come back as it was.
    addEventListener('pagehide', hide)
    return () => removeEventListener('pagehide', hide)
  }, [hide])
  const ask = (type: string, reason: string): void => {
    setReveal({ status: 'recording' })
    const url = `${threadUrl(thread)}/events`
    sessionRequest(url, role, { body: { events: [{ type, data: { reason } }] } }).then(
      (answer) => setReveal(recordedIn(answer)),
      (error: unknown) => {
        if (!(error instanceof ClientError)) throw error
        setReveal({ status: 'failed' })
      },
    )
  }
  return { reveal, ask, hide }
}

function recordedIn(answer: Json): Reveal {
  const { records = null, refused = null } = membersOf(answer)
  const isRefused = !isJsonArray(refused) || refused.length > 0
  const seq = isJsonArray(records) ? membersOf(records[0] ?? null)['seq'] : undefined
  return isRefused || typeof seq !== 'number' ? { status: 'failed' } : { status: 'shown', seq }
}
