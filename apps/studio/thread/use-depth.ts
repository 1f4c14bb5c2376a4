import { useState } from 'react'

/** Down to which depth runs are shown; `Infinity` shows all. It stands in the address, to be shared. */
export function useDepth(): readonly [depth: number, show: (depth: number) => void] {
  const [depth, setDepth] = useState(depthInAddress)
  const show = (next: number): void => {
    const query = new URLSearchParams(location.search)
    if (next === Number.POSITIVE_INFINITY) query.delete('depth')
    else query.set('depth', `${next}`)
    const search = query.size > 0 ? `?${query}` : ''
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`)
    setDepth(next)
  }
  return [depth, show]
}

function depthInAddress(): number {
  const given = new URLSearchParams(location.search).get('depth') ?? ''
  return /^\d{1,3}$/.test(given) ? Number(given) : Number.POSITIVE_INFINITY
}
