import { useRef, useSyncExternalStore } from 'react'
import { FRAGMENT_WRITTEN, addressWith, hasSheet } from './fragment.ts'

export interface SheetState {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
}

/** Keeps in the address whether a sheet is open, so that Back closes it and a reload keeps it. */
export function useSheet(name: string): SheetState {
  const isOpen = useSyncExternalStore(subscribe, () => hasSheet(name))
  // Escape and the button may both ask before the browser has gone back.
  const isClosing = useRef(false)
  return {
    isOpen,
    open() {
      if (hasSheet(name)) return
      history.pushState({ sheet: name }, '', addressWith({ [name]: '' }))
      dispatchEvent(new Event(FRAGMENT_WRITTEN))
    },
    close() {
      if (!hasSheet(name) || isClosing.current) return
      if (isOwnEntry(name)) {
        isClosing.current = true
        addEventListener('popstate', () => (isClosing.current = false), { once: true })
        history.back()
      } else {
        history.replaceState(history.state, '', addressWith({ [name]: undefined }))
        dispatchEvent(new Event(FRAGMENT_WRITTEN))
      }
    },
  }
}

/** Whether this page made the entry; a link that was opened with `#ask` has nothing to go back to. */
function isOwnEntry(name: string): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'sheet' in state && state.sheet === name
}

function subscribe(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  addEventListener('hashchange', onChange)
  addEventListener(FRAGMENT_WRITTEN, onChange)
  return () => {
    removeEventListener('popstate', onChange)
    removeEventListener('hashchange', onChange)
    removeEventListener(FRAGMENT_WRITTEN, onChange)
  }
}
