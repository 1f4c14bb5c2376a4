import { useState } from 'react'

const ALL = 'all'

/**
 * The greatest depth of runs that the page shows; 0 shows the conversation, `Infinity` everything. The
 * page's address holds it, so that links keep it.
 */
export function useDepth(): readonly [depth: number, show: (depth: number) => void] {
  const [depth, setDepth] = useState(depthInAddress)
  const show = (next: number): void => {
    const query = new URLSearchParams(location.search)
    if (next === 0) query.delete('depth')
    else query.set('depth', next === Number.POSITIVE_INFINITY ? ALL : `${next}`)
    const search = query.size > 0 ? `?${query}` : ''
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`)
    setDepth(next)
  }
  return [depth, show]
}

function depthInAddress(): number {
  const given = new URLSearchParams(location.search).get('depth') ?? ''
  if (given === ALL) return Number.POSITIVE_INFINITY
  return /^\d{1,3}$/.test(given) ? Number(given) : 0
}
