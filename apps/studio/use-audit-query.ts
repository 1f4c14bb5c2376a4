import { useCallback, useEffect, useState } from 'react'
import type { AuditQuery } from './audit-query.ts'
import { readQuery, writeQuery } from './audit-query.ts'

/** Returns the query in the address, and a function that changes it. */
export function useAuditQuery(): [AuditQuery, (change: Partial<AuditQuery>) => void] {
  const [query, setQuery] = useState(() => readQuery(location.search))
  const ask = useCallback((change: Partial<AuditQuery>) => {
    setQuery((before) => ({ ...before, ...change }))
  }, [])
  useEffect(() => {
    const address = `${location.pathname}${writeQuery(query)}${location.hash}`
    history.replaceState(history.state, '', address)
  }, [query])
  return [query, ask]
}
