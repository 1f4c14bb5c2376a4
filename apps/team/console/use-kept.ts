import { useEffect, useState } from 'react'

/** What the server keeps, fetched once there is a version and when it changes; what was fetched stays. */
export function useKept<Kept>(
  fetch: () => Promise<Kept>,
  version: number | undefined,
): Kept | undefined {
  const [kept, setKept] = useState<Kept>()
  useEffect(() => {
    if (version === undefined) return undefined
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
