import type { RunStatus } from 'throughline/activity'
import styles from './run.module.css'

const SIGNS: Readonly<Record<RunStatus, string>> = {
  working: '…',
  waiting: '?',
  done: '✓',
  failed: '✕',
  stopped: '■',
}

export interface StatusMarkProps {
  readonly status: RunStatus
  readonly words: Readonly<Record<RunStatus, string>>
}

/** Shows a status as a sign and a word, not by colour alone. */
export function StatusMark({ status, words }: StatusMarkProps) {
  return (
    <span className={`${styles.status} ${styles[status]}`}>
      <span className={styles.sign} aria-hidden="true">
        {SIGNS[status]}
      </span>
      {words[status]}
    </span>
  )
}
