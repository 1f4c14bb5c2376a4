import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './state.module.css'
import { WORDS } from './words.ts'

export interface FailedStateProps {
  /** One sentence on the failure. */
  readonly children: ReactNode
  /** The code by which support finds the failure. */
  readonly code?: string
  readonly onTryAgain: () => void
}

export function FailedState({ children, code, onTryAgain }: FailedStateProps) {
  return (
    <div className={styles.state} role="alert">
      <p>{children}</p>
      <Button look="quiet" onClick={onTryAgain}>
        {WORDS.turn.tryAgain}
      </Button>
      {code !== undefined && (
        <p className={styles.code}>
          {WORDS.code} <bdi>{code}</bdi>
        </p>
      )}
    </div>
  )
}
