import { useCallback, useEffect, useState } from 'react'
import { ClientError } from 'throughline/client'
import type { Json } from 'throughline/json'
import { sessionRequest } from '../kit/index.ts'

export type Answer =
  | { readonly status: 'asking' }
  | { readonly status: 'failed'; readonly again: () => void }
  | { readonly status: 'answered'; readonly value: Json }

/**
 * Asks an address again for every new version, and later when it is busy; drops earlier answers. Without
 * an address it asks nothing.
 */
export function useAnswer(url: string | undefined, version: string): Answer {
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState<Answer>({ status: 'asking' })
  const again = useCallback(() => setAttempt((count) => count + 1), [])
  useEffect(() => {
    if (url === undefined) return undefined
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    sessionRequest(url, 'auditor', { signal: abort.signal }).then(
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
  }, [url, version, attempt, again])
  return answer
}
