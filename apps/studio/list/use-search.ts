import { useCallback, useEffect, useState } from 'react'
import { ClientError, membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import { API, inBackground, sessionRequest } from '../../kit/index.ts'

export interface Find {
  readonly thread: string
  readonly seq: number
  readonly ts: number
  readonly type: string
  readonly text: string
}

export interface Searched {
  readonly status: 'searching' | 'paused' | 'over' | 'failed'
  readonly found: readonly Find[]
  readonly threads: number
  readonly records: number
  /** Threads that could not be read. */
  readonly unread: number
  readonly next?: string | undefined
}

/** Finds that the page keeps. */
const FOUND_MAX = 1_000
const NOTHING: Searched = { status: 'searching', found: [], threads: 0, records: 0, unread: 0 }

export interface SearchTerms {
  readonly text: string
  readonly app: string | undefined
}

/**
 * Searches all threads, request after request, until something was found or everything was read. The function goes
 * on from there.
 */
export function useSearch({ text, app }: SearchTerms): readonly [Searched, () => void] {
  const [searched, setSearched] = useState(NOTHING)
  const [turn, setTurn] = useState<Searched>(NOTHING)
  useEffect(() => {
    const abort = new AbortController()
    inBackground(searchOn({ text, app }, { from: turn, show: setSearched, signal: abort.signal }))
    return () => abort.abort()
  }, [text, app, turn])
  const goOn = useCallback(() => setTurn({ ...searched, status: 'searching' }), [searched])
  return [searched, goOn]
}

interface Going {
  readonly from: Searched
  readonly show: (searched: Searched) => void
  readonly signal: AbortSignal
}

async function searchOn(terms: SearchTerms, { from, show, signal }: Going): Promise<void> {
  let reached = from
  show(reached)
  try {
    while (reached.status === 'searching' && !signal.aborted) {
      const url = urlOf(terms, reached.next)
      reached = joined(reached, await sessionRequest(url, 'operator', { signal }))
      const isPaused = reached.next !== undefined && reached.found.length > from.found.length
      if (isPaused) reached = { ...reached, status: 'paused' }
      if (!signal.aborted) show(reached)
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    if (!signal.aborted) show({ ...reached, status: 'failed' })
  }
}

function urlOf({ text, app }: SearchTerms, next: string | undefined): string {
  const query = new URLSearchParams({ q: text })
  if (app !== undefined) query.set('app', app)
  if (next !== undefined) query.set('after', next)
  return `${API}/search?${query}`
}

function joined(before: Searched, answer: Json): Searched {
  const { found, searched = {}, unread } = membersOf(answer)
  const { threads, records } = membersOf(searched)
  const next = textOf(answer, 'next') || undefined
  // The server writes them from the same type.
  const all = [...before.found, ...(found as unknown as readonly Find[])]
  return {
    status: next === undefined || all.length >= FOUND_MAX ? 'over' : 'searching',
    found: all,
    threads: before.threads + Number(threads),
    records: before.records + Number(records),
    unread: before.unread + (Array.isArray(unread) ? unread.length : 0),
    next,
  }
}
