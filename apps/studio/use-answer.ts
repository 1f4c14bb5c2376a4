import { useCallback, useEffect, useState } from 'react'
import { ClientError } from 'throughline/client'
import type { Json } from 'throughline/log'
import { sessionRequest } from '../kit/index.ts'

export type Answer =
  | { readonly status: 'asking' }
  | { readonly status: 'failed'; readonly again: () => void }
  | { readonly status: 'answered'; readonly value: Json }

/** Asks an address again for every new version; an answer to an earlier one is dropped. */
export function useAnswer(url: string, version: string): Answer {
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState<Answer>({ status: 'asking' })
  const again = useCallback(() => setAttempt((count) => count + 1), [])
  useEffect(() => {
    const abort = new AbortController()
    sessionRequest(url, 'auditor', { signal: abort.signal }).then(
      (value) => setAnswer({ status: 'answered', value }),
      (error: unknown) => {
        if (error instanceof ClientError) setAnswer({ status: 'failed', again })
      },
    )
    return () => abort.abort()
  }, [url, version, attempt, again])
  return answer
}
