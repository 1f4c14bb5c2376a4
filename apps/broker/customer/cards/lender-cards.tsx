import { Button, ButtonRow, Card } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import styles from '../customer.module.css'
import { WORDS } from '../words.ts'
import { AcceptedOffer } from './accepted-offer.tsx'
import { BeforeAccepting } from './before-accepting.tsx'
import { CaseReference } from './case-reference.tsx'
import { OfferFigures } from './offer-figures.tsx'

export interface SubmitCardProps extends CardProps {
  /** Asks the assistant to go on, which is when the application is sent. */
  readonly onGoOn: () => void
}

export function SubmitCard({ readiness, onGoOn }: SubmitCardProps) {
  return (
    <Card title={WORDS.submit.title}>
      <p>{WORDS.submit.text}</p>
      <Button readiness={readiness} onClick={onGoOn}>
        {WORDS.submit.send}
      </Button>
    </Card>
  )
}

export function ProgressCard() {
  return (
    <Card title={WORDS.progress.title}>
      <progress className={styles.busy} aria-label={WORDS.progress.title} />
      <p role="status">{WORDS.progress.text}</p>
    </Card>
  )
}

export interface OfferCardProps extends CardProps {
  /** Asks how to leave, at the way that ends the case. */
  readonly onWithdraw: () => void
}

export function OfferCard({ view, readiness, record, onWithdraw }: OfferCardProps) {
  const offer = view.waterfall?.acceptedOffer
  if (!offer) return <ProgressCard />
  const accept = (): void => record([{ type: 'select_offer', data: { offerId: offer.id } }])
  return (
    <Card title={WORDS.offer.title}>
      <p>{WORDS.offer.text(offer.lender)}</p>
      <OfferFigures offer={offer} />
      <BeforeAccepting lender={offer.lender} />
      <ButtonRow>
        <Button look="secondary" readiness={readiness} onClick={accept}>
          {WORDS.offer.accept}
        </Button>
        <Button look="secondary" onClick={onWithdraw}>
          {WORDS.offer.refuse}
        </Button>
      </ButtonRow>
    </Card>
  )
}

export function AcceptedCard({ view, readiness, record }: CardProps) {
  return (
    <Card title={WORDS.accepted.title}>
      <AcceptedOffer view={view} />
      <CaseReference view={view} />
      <Button
        look="secondary"
        readiness={readiness}
        onClick={() => record([{ type: 'case_complete', data: {} }])}
      >
        {WORDS.accepted.finish}
      </Button>
    </Card>
  )
}
