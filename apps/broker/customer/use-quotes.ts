import { useEffect, useState } from 'react'
import { ClientError } from 'throughline/client'
import type { PageEntry } from '../../kit/index.ts'
import { sessionRequest } from '../../kit/index.ts'
import type { OfferedQuote } from './quotes.ts'
import { readQuotes } from './quotes.ts'
import { useRetryWhenReconnected } from './reconnections.ts'

export type Quotes =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly retry: () => void }
  | { readonly status: 'ready'; readonly quotes: readonly OfferedQuote[] }

export function useQuotes({ thread, role }: PageEntry): Quotes {
  const [attempt, setAttempt] = useState(0)
  const [quotes, setQuotes] = useState<Quotes>({ status: 'loading' })
  useEffect(() => {
    const abort = new AbortController()
    const url = `/api/quotes?sessionId=${encodeURIComponent(thread)}`
    sessionRequest(url, role, { signal: abort.signal }).then(
      (answer) => setQuotes({ status: 'ready', quotes: readQuotes(answer) }),
      (error: unknown) => {
        if (!(error instanceof ClientError)) return
        setQuotes({ status: 'failed', retry: () => setAttempt((count) => count + 1) })
      },
    )
    return () => abort.abort()
  }, [thread, role, attempt])
  useRetryWhenReconnected(quotes.status === 'failed' ? quotes.retry : undefined)
  return quotes
}
