import { useEffect, useRef, useState } from 'react'

export interface FollowEnd {
  readonly end: React.RefObject<HTMLDivElement | null>
  /** Whether something new stands below what the person is reading. */
  readonly unread: 'none' | 'some'
  readonly showEnd: () => void
}

/** Keeps the end of a growing list in sight, unless the person has scrolled away from it. */
export function useFollowEnd(version: string): FollowEnd {
  const end = useRef<HTMLDivElement>(null)
  const inSight = useRef(true)
  const [unread, setUnread] = useState<'none' | 'some'>('none')
  useEffect(() => {
    const marker = end.current
    if (!marker) return
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry) return
      // An end above the window has been read: cards stand below it.
      inSight.current = entry.isIntersecting || entry.boundingClientRect.top < 0
      if (inSight.current) setUnread('none')
    }, OBSERVE)
    observer.observe(marker)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (inSight.current) end.current?.scrollIntoView({ block: 'nearest' })
    else setUnread('some')
  }, [version])
  return { end, unread, showEnd: () => end.current?.scrollIntoView({ block: 'center' }) }
}

const OBSERVE = { rootMargin: '0px 0px 160px 0px' }
