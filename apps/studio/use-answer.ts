import { useCallback, useContext, useEffect, useState } from 'react'
import { ClientError } from 'throughline/client'
import type { Json } from 'throughline/client'
import { sessionRequest } from '../kit/index.ts'
import type { PageRole } from '../kit/index.ts'
import { RoleContext } from './role-context.ts'
import { withReveal } from './use-reveal.ts'

export type Answer =
  | { readonly status: 'asking' }
  | { readonly status: 'failed'; readonly again: () => void }
  | { readonly status: 'answered'; readonly value: Json }

export interface AskedVersion {
  readonly version: string
  /** The record of a reveal to read under. */
  readonly reveal?: number | undefined
  /** The page’s unless given. */
  readonly role?: PageRole
}

/**
 * Asks an address again for every new version, and later when it is busy; drops earlier answers, and what
 * another reveal has shown at once. Without an address it asks nothing.
 */
export function useAnswer(
  url: string | undefined,
  { version, reveal, role: given }: AskedVersion,
): Answer {
  const own = useContext(RoleContext)
  const role = given ?? own
  const [attempt, setAttempt] = useState(0)
  const [known, setKnown] = useState<Known>({ answer: { status: 'asking' }, reveal })
  const again = useCallback(() => setAttempt((count) => count + 1), [])
  useEffect(() => {
    if (url === undefined) return undefined
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const setAnswer = (answer: Answer): void => setKnown({ answer, reveal })
    sessionRequest(withReveal(url, reveal), role, { signal: abort.signal }).then(
      (value) => setAnswer({ status: 'answered', value }),
      (error: unknown) => {
        if (!(error instanceof ClientError)) return
        if (error.problem?.status !== 429) setAnswer({ status: 'failed', again })
        else timer = setTimeout(again, error.retryAfterMs)
      },
    )
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [url, version, reveal, role, attempt, again])
  const isShown = known.reveal === undefined || known.reveal === reveal
  return isShown ? known.answer : { status: 'asking' }
}

interface Known {
  readonly answer: Answer
  readonly reveal: number | undefined
}
