import { useCallback, useEffect, useState } from 'react'
import { ClientError } from 'throughline/client'
import type { Json } from 'throughline/client'
import { sessionRequest } from '../../kit/index.ts'
import { useRetryWhenReconnected } from './reconnections.ts'

/** Fetches an address: undefined until the answer, null after a failure. */
export function useAnswer(url: string | undefined): Json | undefined {
  const [answer, setAnswer] = useState<Json>()
  const [attempt, setAttempt] = useState(0)
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  useRetryWhenReconnected(answer === null ? retry : undefined)
  useEffect(() => {
    if (url === undefined) return undefined
    const abort = new AbortController()
    sessionRequest(url, 'customer', { signal: abort.signal }).then(setAnswer, (error: unknown) => {
      // An aborted request belongs to a page part that has gone.
      if (abort.signal.aborted) return
      if (!(error instanceof ClientError)) throw error
      setAnswer(null)
    })
    return () => abort.abort()
  }, [url, attempt])
  return answer
}
