import { Check } from 'lucide'
import { Button, ButtonRow, Tag, Timeline } from '../../../kit/index.ts'
import type { CardProps, SheetProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { AskingCard } from './asking-card.tsx'
import styles from './cards.module.css'
import { LoanFigures, loanOf } from './loan-figures.tsx'
import { OFFER_WORDS } from './offer-words.ts'
import { QUOTE_WORDS } from './quote-words.ts'

/** A lender's offer on the terms that were asked for, and what accepting it brings about. */
export function OfferCard({ view, readiness, record, onSheet }: CardProps & SheetProps) {
  const offer = view.waterfall?.acceptedOffer
  if (!offer) return <AskingCard view={view} />
  const words = OFFER_WORDS
  return (
    <CardFrame
      title={words.title(offer.lender)}
      lead={words.lead}
      actions={
        <ButtonRow>
          <Button look="equal" onClick={() => onSheet('refuse')}>
            {words.refuse}
          </Button>
          <Button
            look="equal"
            readiness={readiness}
            onClick={() => record([{ type: 'select_offer', data: { offerId: offer.id } }])}
          >
            {words.accept}
          </Button>
        </ButtonRow>
      }
    >
      <section className={styles.panel} aria-label={offer.lender}>
        <div className={styles.tight}>
          <b>{offer.lender}</b>
          <Tag tone="ok" icon={Check}>
            {words.same}
          </Tag>
        </div>
        <LoanFigures loan={loanOf(offer)} rate="yourRate" />
      </section>
      <section className={styles.stack}>
        <h2>{words.ifYouAccept}</h2>
        <Timeline items={stepsToTheLoan(offer.lender)} />
      </section>
      <p className={styles.risk}>{QUOTE_WORDS.risk}</p>
    </CardFrame>
  )
}

function stepsToTheLoan(lender: string) {
  const words = OFFER_WORDS
  return (
    [
      ['search', words.search(lender), words.searchMeans],
      ['agreement', words.agreement, words.agreementMeans],
      ['sign', words.sign, words.signMeans],
    ] as const
  ).map(([key, title, text]) => ({ key, status: 'later' as const, title, text }))
}
