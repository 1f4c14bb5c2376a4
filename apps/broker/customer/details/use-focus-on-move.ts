import { useEffect, useRef } from 'react'
import type { Position } from './parts.ts'

/** Gives the focus to the field or the heading that the customer goes to: the button they used is gone. */
export function useFocusOnMove({ place, from, field }: Position): void {
  const before = useRef<string>(undefined)
  useEffect(() => {
    const now = [place, from, field].join(' ')
    const isFirst = before.current === undefined
    before.current = now
    if (isFirst) return
    const asked = field === undefined ? null : document.getElementById(field)
    scrollTo(0, 0)
    if (asked) return asked.focus()
    document.querySelector<HTMLElement>('[data-card-heading]')?.focus({ preventScroll: true })
  }, [place, from, field])
}
