import { useEffect, useEffectEvent, useRef, useState } from 'react'

export interface StayAtEndOptions {
  readonly rows: number
  /** Whether the last row of all is drawn. */
  readonly isLastPage: boolean
  /** Whether rows that are added now are new ones, not older ones that still load. */
  readonly isLive: boolean
  /** Whether the reader follows from the start, or only after they reached the end. */
  readonly begins: 'following' | 'waiting'
  /** Shows the last row. */
  readonly onFollow: () => void
}

/** Rows just out of sight count as seen. */
const OBSERVE = { rootMargin: '0px 0px 80px 0px' }

/**
 * Calls `onFollow` for new rows while the reader follows: from the end of the list until they scroll up.
 * Gives the ref of the element after the last row, and how many new rows the reader has not reached.
 */
export function useStayAtEnd(options: StayAtEndOptions) {
  const { rows, isLastPage, isLive, begins, onFollow } = options
  const isSeen = useRef(false)
  const isFollowing = useRef(begins === 'following')
  const before = useRef({ rows, isLastPage, isLive })
  const [reached, reach] = useState(isLive ? rows : undefined)
  const follow = useEffectEvent(onFollow)
  const see = useEffectEvent((seen: boolean) => {
    isSeen.current = seen
    if (!seen || !isLive || !isLastPage) return
    isFollowing.current = true
    reach(rows)
  })
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (end.current === null) return undefined
    const observer = new IntersectionObserver((entries) => {
      see(entries.at(-1)?.isIntersecting ?? false)
    }, OBSERVE)
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const old = before.current
    before.current = { rows, isLastPage, isLive }
    if (isLive && !old.isLive) reach((known) => known ?? rows)
    const wasAtEnd = old.isLive && old.isLastPage && isSeen.current
    if (rows === old.rows || !isLive) return
    if (!wasAtEnd && !isFollowing.current) return
    isFollowing.current = true
    reach(rows)
    follow()
  }, [rows, isLastPage, isLive])
  useEffect(
    () =>
      onScrollUp(() => {
        isFollowing.current = false
      }),
    [],
  )
  return { end, unreached: Math.max(0, rows - (reached ?? rows)) }
}

/** Growth moves nothing up, and what shrinks moves to its end, so only a person scrolls up from there. */
function onScrollUp(scrolled: () => void): () => void {
  const tops = new WeakMap<EventTarget, number>()
  const note = ({ target }: Event): void => {
    const element = target instanceof Document ? target.scrollingElement : target
    if (!(element instanceof Element)) return
    const before = tops.get(element) ?? 0
    const top = element.scrollTop
    tops.set(element, top)
    const isAtEnd = top + element.clientHeight >= element.scrollHeight - 1
    if (top < before && !isAtEnd) scrolled()
  }
  document.addEventListener('scroll', note, { capture: true, passive: true })
  return () => document.removeEventListener('scroll', note, { capture: true })
}
