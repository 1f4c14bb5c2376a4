import type { AskProps, CardProps, SheetProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { AcceptedOffer } from './accepted-offer.tsx'
import styles from './cards.module.css'
import { DeclinedCard } from './declined-card.tsx'
import { EndReference } from './end-reference.tsx'
import { ENDING_WORDS } from './ending-words.ts'
import { IneligibleCard } from './ineligible-card.tsx'
import { SpeakToPerson } from './speak-to-person.tsx'
import { WithdrawnCard } from './withdrawn-card.tsx'

/** A finished application keeps the page of its outcome. */
export function FinishedCard(props: Pick<CardProps, 'view'> & SheetProps & AskProps) {
  switch (props.view.caseOutcome?.kind) {
    case 'selected':
      return <AcceptedOffer {...props} />
    case 'declined':
      return <DeclinedCard {...props} />
    case 'ineligible':
      return <IneligibleCard {...props} />
    case 'withdrawn':
      return <WithdrawnCard {...props} />
    case 'completed':
    case undefined:
      return <Completed {...props} />
  }
}

function Completed({ view, onSheet }: Pick<CardProps, 'view'> & SheetProps) {
  const { title, lead, help, helpMeans } = ENDING_WORDS.finished
  return (
    <CardFrame title={title} lead={lead} actions={<SpeakToPerson onSheet={onSheet} />}>
      <section className={styles.tight}>
        <h2>{help}</h2>
        <p className={styles.soft}>{helpMeans}</p>
      </section>
      <EndReference view={view} />
    </CardFrame>
  )
}
