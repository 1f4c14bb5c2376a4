import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { PreContractCardProps } from './cards/pre-contract-card.tsx'
import { PreContractCard } from './cards/pre-contract-card.tsx'
import { ConsentCard } from './cards/consent-card.tsx'
import { CounterCard } from './cards/counter-card.tsx'
import { ServiceStatusCard } from './cards/disclosure-card.tsx'
import { EligibilityCard } from './cards/eligibility-card.tsx'
import { EmailCard } from './cards/email-card.tsx'
import {
  DeclinedCard,
  FinishedCard,
  HandoffCard,
  IneligibleCard,
  WithdrawnCard,
} from './cards/ended-cards.tsx'
import type { SubmitCardProps } from './cards/lender-cards.tsx'
import { AcceptedCard, OfferCard, ProgressCard, SubmitCard } from './cards/lender-cards.tsx'
import { QuoteCard } from './cards/quote-card.tsx'
import { VulnerabilityCard } from './cards/vulnerability-card.tsx'
import type { CardName } from './current-card.ts'
import { DetailsCard } from './details/details-card.tsx'

export interface CardPlaceProps extends PreContractCardProps, SubmitCardProps {
  readonly card: CardName
}

/** Draws the one open card, and takes up the focus when the card that held it is gone. */
export function CardPlace(props: CardPlaceProps) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(props.card)
  useEffect(() => {
    const changed = before.current !== props.card
    before.current = props.card
    if (!changed || document.activeElement !== document.body) return
    place.current?.querySelector<HTMLElement>('[data-card-heading]')?.focus()
  }, [props.card])
  const Drawn = CARDS[props.card]
  return (
    <div ref={place}>
      <Drawn {...props} />
    </div>
  )
}

const CARDS: Readonly<Record<CardName, (props: CardPlaceProps) => ReactNode>> = {
  handoff: HandoffCard,
  'disclosure:service_status': ServiceStatusCard,
  eligibility: EligibilityCard,
  quote: QuoteCard,
  email: EmailCard,
  details: DetailsCard,
  vulnerability: VulnerabilityCard,
  'disclosure:credit_search_consent': ConsentCard,
  consent_refused: ConsentCard,
  'disclosure:pre_contract_summary': PreContractCard,
  submit: SubmitCard,
  waterfall: ProgressCard,
  counter: CounterCard,
  accept: OfferCard,
  complete: AcceptedCard,
  declined: DeclinedCard,
  ineligible: IneligibleCard,
  withdrawn: WithdrawnCard,
  finished: FinishedCard,
}
