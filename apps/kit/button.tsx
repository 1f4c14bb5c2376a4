import type { MouseEvent, ReactNode } from 'react'
import { useEffect, useState } from 'react'
import styles from './button.module.css'
import { WORDS } from './words.ts'

/**
 * `waiting`: a request is under way; only the pressed button shows it. `busy`: this button shows it,
 * pressed or not. `kept`: the press is stored and sent later.
 */
export type Readiness = 'ready' | 'waiting' | 'busy' | 'kept'

/** A press that begins nothing in this time was for something else. */
const PRESS_MS = 500

export interface ButtonProps {
  readonly children: ReactNode
  /** `equal`: every button of a choice between yes and no. `danger`: in a dialog only. */
  readonly look?: 'primary' | 'equal' | 'quiet' | 'bare' | 'danger'
  readonly type?: 'button' | 'submit'
  /**
   * A waiting button keeps its label, its width and the focus, and does nothing. With `kept`, only the
   * pressed button shows it.
   */
  readonly readiness?: Readiness
  /** Why the button cannot act now, in a few words. It keeps the focus and does nothing. */
  readonly unavailable?: string | undefined
  readonly onClick?: (event: MouseEvent) => void
}

export function Button(props: ButtonProps) {
  const { children, look = 'primary', type = 'button', readiness = 'ready' } = props
  const [press, setPress] = usePress(readiness)
  const reason = reasonOf(props, press)
  const isBusy = showsWork(readiness, press)
  const isUnavailable = readiness === 'kept' || props.unavailable !== undefined
  const isInert = readiness !== 'ready' || isUnavailable
  const act = (event: MouseEvent): void => {
    if (isInert) return event.preventDefault()
    setPress('made')
    props.onClick?.(event)
  }
  return (
    <button
      type={type}
      className={`${styles.button} ${styles[look]} ${isUnavailable ? styles.unavailable : ''}`}
      aria-disabled={isInert || undefined}
      aria-busy={isBusy || undefined}
      onClick={act}
    >
      <span className={styles.label}>
        {children}
        {reason !== undefined && <small className={styles.reason}> {reason}</small>}
      </span>
    </button>
  )
}

type Press = 'none' | 'made'

/** With `waiting`, only the pressed button shows it. */
function showsWork(readiness: Readiness, press: Press): boolean {
  return readiness === 'busy' || (readiness === 'waiting' && press === 'made')
}

/** Whether this is the button that was pressed, until all buttons can act again. */
function usePress(readiness: Readiness) {
  const [press, setPress] = useState<Press>('none')
  const [before, setBefore] = useState(readiness)
  if (before !== readiness) {
    setBefore(readiness)
    if (readiness === 'ready') setPress('none')
  }
  useEffect(() => {
    if (press === 'none' || readiness !== 'ready') return undefined
    const timer = setTimeout(() => setPress('none'), PRESS_MS)
    return () => clearTimeout(timer)
  }, [press, readiness])
  return [press, setPress] as const
}

function reasonOf({ readiness, unavailable }: ButtonProps, press: Press): string | undefined {
  return readiness === 'kept' && press === 'made' ? WORDS.button.kept : unavailable
}

/** Buttons of equal weight and size, side by side where there is room. */
export function ButtonRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
