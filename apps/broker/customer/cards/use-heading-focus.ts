import { useEffect, useRef } from 'react'

/** Gives the heading the focus when what a card shows has changed: the button that was used is gone. */
export function useHeadingFocus(shown: string): void {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    document.querySelector<HTMLElement>('[data-card-heading]')?.focus()
  }, [shown])
}
