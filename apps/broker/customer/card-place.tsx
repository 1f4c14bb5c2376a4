import type { ReactNode, RefObject } from 'react'
import { useEffect, useRef } from 'react'
import type { FollowEnd, Turns } from '../../kit/index.ts'
import { Button } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { CardOutcome } from './card-outcome.tsx'
import type { PreContractCardProps } from './cards/pre-contract-card.tsx'
import { PreContractCard } from './cards/pre-contract-card.tsx'
import { ConsentCard } from './cards/consent-card.tsx'
import { CounterCard } from './cards/counter-card.tsx'
import { ServiceStatusCard } from './cards/disclosure-card.tsx'
import { EligibilityCard } from './cards/eligibility-card.tsx'
import { EmailCard } from './cards/email-card.tsx'
import { HostedDisclosureCard } from './cards/hosted-disclosure-card.tsx'
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
import styles from './customer.module.css'
import { DetailsCard } from './details/details-card.tsx'
import { readTrust } from './trust.ts'
import type { Trust } from './trust.ts'
import type { OpenCard } from './use-open-card.ts'
import { WORDS } from './words.ts'

export interface CardPlaceProps extends CardProps {
  readonly open: OpenCard
  readonly turns: Turns
  /** Shows what comes of the customer's act, and what was said of it beside the card. */
  readonly following: Pick<FollowEnd, 'follow' | 'grow'>
}

/** Draws the one open card and what becomes of a press on it, and shows the card that follows. */
export function CardPlace({ open, turns, following, ...card }: CardPlaceProps) {
  const place = useRef<HTMLDivElement>(null)
  useNewCardInView(place, open, following)
  const Drawn = CARDS[readTrust()][open.card]
  return (
    <div className={styles.cardPlace}>
      <div ref={place}>
        <Drawn
          {...card}
          onAmend={() => open.change('details')}
          onGoOn={() => {
            open.act()
            void turns.take({}, 'card')
          }}
        />
      </div>
      <CardOutcome turns={turns} place="card" />
      {open.opened === 'again' && (
        <Button
          look="secondary"
          onClick={() => {
            open.act()
            open.close()
          }}
        >
          {WORDS.cancel}
        </Button>
      )}
    </div>
  )
}

/** The card that comes of a customer's act takes the focus; one that comes otherwise takes none away. */
function useNewCardInView(
  place: RefObject<HTMLDivElement | null>,
  { card, acts }: OpenCard,
  { follow, grow }: CardPlaceProps['following'],
): void {
  const shown = useRef<{ readonly card: CardName; readonly acts: number }>(undefined)
  useEffect(() => {
    const before = shown.current
    if (before?.card === card) return
    shown.current = { card, acts }
    const isPersons = before?.acts !== acts || document.activeElement === document.body
    if (!isPersons) return
    follow()
    if (before) headingIn(place.current)?.focus({ preventScroll: true })
    bringIntoView(place.current)
    // What was said may have come before the card, which has now pushed it out of sight.
    if (before) grow()
  }, [place, card, acts, follow, grow])
}

function headingIn(place: HTMLElement | null): HTMLElement | null | undefined {
  return place?.querySelector<HTMLElement>('[data-card-heading]')
}

/** A card that begins in the upper half of the window is in view; one that is too tall shows its top. */
function bringIntoView(place: HTMLElement | null): void {
  const top = place?.getBoundingClientRect().top ?? 0
  if (top < 0) place?.scrollIntoView({ block: 'start' })
  if (top > innerHeight / 2) place?.scrollIntoView({ block: 'nearest' })
}

type DrawnCardProps = PreContractCardProps & SubmitCardProps

type Cards = Readonly<Record<CardName, (props: DrawnCardProps) => ReactNode>>

const INLINE_CARDS: Cards = {
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

/** A host that is trusted less shows no regulated text itself. */
const CARDS: Readonly<Record<Trust, Cards>> = {
  high: INLINE_CARDS,
  low: {
    ...INLINE_CARDS,
    'disclosure:service_status': HostedDisclosureCard,
    'disclosure:credit_search_consent': HostedDisclosureCard,
    consent_refused: HostedDisclosureCard,
    'disclosure:pre_contract_summary': HostedDisclosureCard,
  },
}
