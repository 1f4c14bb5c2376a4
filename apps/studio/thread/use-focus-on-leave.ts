import { useLayoutEffect, useRef } from 'react'

/**
 * When the focused part is unmounted, moves the focus to the element marked `data-focus-here` in the
 * nearest `data-focus-area`.
 */
export function useFocusOnLeave<Part extends HTMLElement>(): React.RefObject<Part | null> {
  const part = useRef<Part>(null)
  useLayoutEffect(() => {
    const left = part.current
    const area = left?.closest('[data-focus-area]')
    return () => {
      if (!left?.contains(document.activeElement)) return
      area?.querySelector<HTMLElement>('[data-focus-here]')?.focus()
    }
  }, [])
  return part
}
