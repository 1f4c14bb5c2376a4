import type { Readiness, Turns } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { CardOutcome } from './card-outcome.tsx'
import { currentCard, isEnded } from './current-card.ts'
import styles from './customer.module.css'
import { LeaveDialog } from './leave-dialog.tsx'
import { WORDS } from './words.ts'

export interface JourneyFooterProps extends Pick<CardProps, 'view' | 'record'> {
  readonly readiness: Readiness
  readonly turns: Turns
}

/** A way to a person and a way out, on every step. */
export function JourneyFooter({ view, readiness, turns, record }: JourneyFooterProps) {
  return (
    <footer className={styles.footer}>
      <details className={styles.help}>
        <summary>{WORDS.help.open}</summary>
        <p>{WORDS.help.text}</p>
      </details>
      {!isEnded(currentCard(view)) && !view.caseOutcome && (
        <div className={styles.leave}>
          <LeaveDialog
            readiness={readiness}
            lenders={view.waterfall ? 'asked' : 'not asked'}
            onLeave={(reason) =>
              record([{ type: 'withdraw', data: reason === '' ? {} : { reason } }])
            }
          />
          <CardOutcome turns={turns} place="footer" />
        </div>
      )}
    </footer>
  )
}
