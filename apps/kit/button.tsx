import type { MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'

export type Readiness = 'ready' | 'waiting'

export interface ButtonProps {
  readonly children: ReactNode
  readonly look?: 'primary' | 'secondary' | 'quiet'
  readonly type?: 'button' | 'submit'
  /** A waiting button keeps the focus and does nothing. */
  readonly readiness?: Readiness
  readonly onClick?: (event: MouseEvent) => void
}

export function Button(props: ButtonProps) {
  const { children, look = 'primary', type = 'button', readiness = 'ready', onClick } = props
  const waiting = readiness === 'waiting'
  return (
    <button
      type={type}
      className={`${styles.button} ${styles[look]}`}
      aria-disabled={waiting || undefined}
      onClick={(event) => (waiting ? event.preventDefault() : onClick?.(event))}
    >
      {children}
    </button>
  )
}

/** Buttons of equal weight, side by side where there is room. */
export function ButtonRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
