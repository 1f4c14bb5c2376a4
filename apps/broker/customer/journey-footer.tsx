import type { Readiness } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { currentCard, isEnded } from './current-card.ts'
import styles from './customer.module.css'
import { LeaveDialog } from './leave-dialog.tsx'
import { WORDS } from './words.ts'

export interface JourneyFooterProps extends Pick<CardProps, 'view' | 'record'> {
  readonly readiness: Readiness
}

/** A way to a person and a way out, on every step. */
export function JourneyFooter({ view, readiness, record }: JourneyFooterProps) {
  return (
    <footer className={styles.footer}>
      <details className={styles.help}>
        <summary>{WORDS.help.open}</summary>
        <p>{WORDS.help.text}</p>
      </details>
      {!isEnded(currentCard(view)) && !view.caseOutcome && (
        <LeaveDialog
          readiness={readiness}
          lenders={view.waterfall ? 'asked' : 'not asked'}
          onLeave={(reason) =>
            record([{ type: 'withdraw', data: reason === '' ? {} : { reason } }])
          }
        />
      )}
    </footer>
  )
}
