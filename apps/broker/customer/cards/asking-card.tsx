import { Button, Note, Timeline } from '../../../kit/index.ts'
import type { FirmDetails } from '../../disclosures/firm-details.ts'
import type { CardProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { referenceOf } from '../reference.ts'
import { useFirm } from '../use-firm.ts'
import styles from './cards.module.css'
import { progressItems } from './lender-timeline.ts'
import { LENDER_WORDS } from './lender-words.ts'
import { SentAnswers } from './sent-answers.tsx'
import { SUMMARY_WORDS } from './summary-words.ts'

/** Shows the recorded progress of the application with the lenders. */
export function AskingCard({ view }: Pick<CardProps, 'view'>) {
  const { title, lead, nothingToDo, comeBack, mostAnswers } = LENDER_WORDS
  const firm = useFirm()
  const lenderMinutes = firm?.waits.lenderMinutes
  return (
    <CardFrame title={title} lead={lead}>
      <section className={styles.panel} aria-live="polite">
        <Timeline items={progressItems(view)} />
      </section>
      <Note>
        <b>{nothingToDo}</b> {lenderMinutes !== undefined && mostAnswers(lenderMinutes)} {comeBack}
      </Note>
      <TakingLonger view={view} firm={firm} />
    </CardFrame>
  )
}

interface TakingLongerProps extends Pick<CardProps, 'view'> {
  readonly firm: FirmDetails | undefined
}

function TakingLonger({ view, firm }: TakingLongerProps) {
  const { longer, callAfter, reference } = LENDER_WORDS
  const minutes = firm?.waits.callAfterMinutes
  return (
    <p className={styles.small}>
      {longer} {firm && minutes !== undefined ? callAfter(minutes, firm.support.phone) : reference}{' '}
      <bdi className={styles.reference}>{referenceOf(view)}</bdi>
    </p>
  )
}

export interface SendingCardProps extends CardProps {
  /** Sends what the customer has confirmed. */
  readonly onGoOn: () => void
}

/** After an older text the customer has confirmed, and presses again to send. */
export function SendingCard({ view, readiness, onGoOn }: SendingCardProps) {
  return (
    <CardFrame
      title={SUMMARY_WORDS.title}
      lead={SUMMARY_WORDS.lead}
      actions={
        <Button readiness={readiness} onClick={onGoOn}>
          {SUMMARY_WORDS.confirm}
        </Button>
      }
    >
      <SentAnswers view={view} onChange={undefined} />
    </CardFrame>
  )
}
