import type { Turns } from '../../kit/index.ts'
import { TurnProblem } from '../../kit/index.ts'
import styles from './customer.module.css'
import { WORDS } from './words.ts'

export interface CardOutcomeProps {
  readonly turns: Turns
  readonly place: 'card' | 'footer'
}

/** What becomes of a press, right below the button that was pressed. */
export function CardOutcome({ turns, place }: CardOutcomeProps) {
  return (
    <div className={styles.outcome}>
      <p className={styles.status} role="status">
        {statusOf(turns, place)}
      </p>
      <TurnProblem turns={turns} place={place} />
    </div>
  )
}

function statusOf({ underWay, status }: Turns, place: 'card' | 'footer'): string {
  if (underWay?.place === place) return WORDS.status.recording
  return place === 'card' && status === 'sending' ? WORDS.status.writing : ''
}
