import type { Readiness, Turns } from '../../kit/index.ts'
import { Button } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { CardOutcome } from './card-outcome.tsx'
import { isNothingSubmitted } from './case-view.ts'
import { currentCard, isEnded } from './current-card.ts'
import styles from './customer.module.css'
import { LeaveDialog } from './leave-dialog.tsx'
import type { Leaving } from './use-leaving.ts'
import { WORDS } from './words.ts'

export interface JourneyFooterProps extends Pick<CardProps, 'view' | 'record'> {
  readonly readiness: Readiness
  readonly turns: Turns
  readonly leaving: Leaving
}

/** A way to a person and a way out, on every step. */
export function JourneyFooter(props: JourneyFooterProps) {
  const { view, readiness, turns, leaving, record } = props
  const mayLeave = !isEnded(currentCard(view)) && !view.caseOutcome && leaving.status === 'here'
  return (
    <footer className={styles.footer}>
      <details className={styles.help}>
        <summary>{WORDS.help.open}</summary>
        <p>{WORDS.help.text}</p>
      </details>
      {mayLeave && (
        <div className={styles.leave}>
          <Button look="secondary" onClick={() => leaving.ask('leave')}>
            {WORDS.leave.open}
          </Button>
          <LeaveDialog
            leaving={leaving}
            readiness={readiness}
            lenders={isNothingSubmitted(view) ? 'not asked' : 'asked'}
            onWithdraw={(reason) =>
              record([{ type: 'withdraw', data: reason === '' ? {} : { reason } }])
            }
          />
          <CardOutcome turns={turns} place="footer" />
        </div>
      )}
    </footer>
  )
}
