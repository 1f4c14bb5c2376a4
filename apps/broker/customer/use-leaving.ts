import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'

/** The two ways out: one can come back from the first, and the second ends the case. */
export type Exit = 'leave' | 'withdraw'

export interface Leaving {
  /** `away`: the customer has left for now, of which nothing is recorded. */
  readonly status: 'here' | 'away'
  readonly dialog: RefObject<HTMLDialogElement | null>
  /** Opens the dialog at one of its ways out. */
  readonly ask: (exit: Exit) => void
  readonly leave: () => void
  readonly carryOn: () => void
}

export function useLeaving(): Leaving {
  const dialog = useRef<HTMLDialogElement>(null)
  const [status, setStatus] = useState<Leaving['status']>('here')
  const shown = useRef(status)
  useEffect(() => {
    if (shown.current === status) return
    shown.current = status
    document.querySelector<HTMLElement>('[data-card-heading]')?.focus()
  }, [status])
  return {
    status,
    dialog,
    ask: (exit) => {
      dialog.current?.showModal()
      const heading = dialog.current?.querySelector<HTMLElement>(`[data-exit=${exit}]`)
      // Not a field, which would call up a phone's keyboard over the choice.
      heading?.focus()
      heading?.scrollIntoView()
    },
    leave: () => {
      dialog.current?.close()
      setStatus('away')
    },
    carryOn: () => setStatus('here'),
  }
}
