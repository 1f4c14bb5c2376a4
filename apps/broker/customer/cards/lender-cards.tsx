import { Button, ButtonRow, Card, SummaryList, money, percent } from '../../../kit/index.ts'
import type { Offer } from '../../case/state.ts'
import type { CardProps } from '../actions.ts'
import styles from '../customer.module.css'
import { WORDS } from '../words.ts'

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

export function OfferCard({ view, readiness, record }: CardProps) {
  const offer = view.waterfall?.acceptedOffer
  if (!offer) return <ProgressCard />
  const accept = (): void => record([{ type: 'select_offer', data: { offerId: offer.id } }])
  return (
    <Card title={WORDS.offer.title}>
      <p>{WORDS.offer.text(offer.lender)}</p>
      <OfferFigures offer={offer} />
      <ButtonRow>
        <Button readiness={readiness} onClick={accept}>
          {WORDS.offer.accept}
        </Button>
      </ButtonRow>
    </Card>
  )
}

export function AcceptedCard({ view, readiness, record }: CardProps) {
  const offer = view.waterfall?.acceptedOffer
  return (
    <Card title={WORDS.accepted.title}>
      {offer && <OfferFigures offer={offer} />}
      <p>{WORDS.accepted.text}</p>
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

function OfferFigures({ offer }: { readonly offer: Offer }) {
  return (
    <SummaryList
      rows={[
        { name: WORDS.offer.lender, value: offer.lender },
        { name: WORDS.quote.amount, value: money(offer.netLoanAmount) },
        { name: WORDS.offer.apr, value: percent(offer.aprPct) },
        { name: WORDS.counter.term, value: WORDS.quote.months(offer.termMonths) },
        { name: WORDS.quote.monthly, value: money(offer.monthlyPayment) },
        { name: WORDS.quote.total, value: money(offer.totalPayable) },
      ]}
    />
  )
}
