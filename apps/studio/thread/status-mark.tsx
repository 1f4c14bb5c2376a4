import type { RunStatus, ToolState } from 'throughline/client'
import styles from './run.module.css'

/** Of a run or of a tool's call. */
export type Status = RunStatus | ToolState['status']

const SIGNS: Readonly<Record<Status, string>> = {
  working: '…',
  waiting: '?',
  pending: '?',
  done: '✓',
  failed: '✕',
  stopped: '■',
}

export interface StatusMarkProps {
  readonly status: Status
  readonly words: Readonly<Record<Status, string>>
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
