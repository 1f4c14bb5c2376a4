import { createContext, useContext, useEffect, useRef, useState } from 'react'
import type { ThreadSnapshot } from 'throughline/react'

/** The number of reconnections of the page's stream. */
export const ReconnectionsContext = createContext(0)

export function useReconnections({ status }: Pick<ThreadSnapshot<unknown>, 'status'>): number {
  const [count, setCount] = useState(0)
  const wasLost = useRef(false)
  useEffect(() => {
    if (status === 'reconnecting') wasLost.current = true
    if (status !== 'live' || !wasLost.current) return
    wasLost.current = false
    setCount((before) => before + 1)
  }, [status])
  return count
}

/** Repeats failed requests, once for each time that the page is connected again. */
export function useRetryWhenReconnected(retry: (() => void) | undefined): void {
  const reconnections = useContext(ReconnectionsContext)
  const triedAt = useRef(reconnections)
  useEffect(() => {
    if (!retry || triedAt.current === reconnections) return
    triedAt.current = reconnections
    retry()
  }, [retry, reconnections])
}
