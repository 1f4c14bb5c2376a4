import type { ReactNode } from 'react'
import styles from './state.module.css'

export interface EmptyStateProps {
  /** One sentence: name the missing thing and the way to add it. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ children, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <p className={styles.soft}>{children}</p>
      {action}
    </div>
  )
}
