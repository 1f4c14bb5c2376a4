import styles from './state.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface LoadingStateProps {
  /** The words that screen readers hear: `Loading the cases`. */
  readonly label: string
}

/** Holds the place of something that is on its way. */
export function LoadingState({ label }: LoadingStateProps) {
  return (
    <div className={styles.state} role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      <div className={styles.bar} />
      <div className={`${styles.bar} ${styles.short}`} />
    </div>
  )
}
