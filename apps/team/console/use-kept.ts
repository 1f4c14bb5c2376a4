import { useEffect, useState } from 'react'

/** What the server keeps, fetched again when the version changes; what was fetched stays while that fails. */
export function useKept<Kept>(fetch: () => Promise<Kept>, version: number): Kept | undefined {
  const [kept, setKept] = useState<Kept>()
  useEffect(() => {
    let isCurrent = true
    fetch().then(
      (fetched) => {
        if (isCurrent) setKept(fetched)
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [fetch, version])
  return kept
}
