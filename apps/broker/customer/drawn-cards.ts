import type { ReactNode } from 'react'
import type { AskProps, SheetProps } from './actions.ts'
import type { PreContractCardProps } from './cards/pre-contract-card.tsx'
import { PreContractCard } from './cards/pre-contract-card.tsx'
import { ConsentCard } from './cards/consent-card.tsx'
import { CounterCard } from './cards/counter-card.tsx'
import { ServiceStatusCard } from './cards/disclosure-card.tsx'
import { EligibilityCard } from './cards/eligibility-card.tsx'
import { EmailCard } from './cards/email-card.tsx'
import { HostedDisclosureCard } from './cards/hosted-disclosure-card.tsx'
import { AcceptedCard } from './cards/accepted-card.tsx'
import type { SendingCardProps } from './cards/asking-card.tsx'
import { AskingCard, SendingCard } from './cards/asking-card.tsx'
import { DeclinedCard } from './cards/declined-card.tsx'
import { FinishedCard } from './cards/finished-card.tsx'
import { HandoffCard } from './cards/handoff-card.tsx'
import { IneligibleCard } from './cards/ineligible-card.tsx'
import { OfferCard } from './cards/offer-card.tsx'
import { WithdrawnCard } from './cards/withdrawn-card.tsx'
import { QuoteCard } from './cards/quote-card.tsx'
import { VulnerabilityCard } from './cards/vulnerability-card.tsx'
import type { CardName } from './current-card.ts'
import type { DetailsCardProps } from './details/details-card.tsx'
import { DetailsCard } from './details/details-card.tsx'
import type { Trust } from './trust.ts'

/** The props of all cards together; each takes its own. */
type DrawnCardProps = PreContractCardProps &
  SendingCardProps &
  DetailsCardProps &
  SheetProps &
  AskProps

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
  submit: SendingCard,
  waterfall: AskingCard,
  counter: CounterCard,
  accept: OfferCard,
  complete: AcceptedCard,
  declined: DeclinedCard,
  ineligible: IneligibleCard,
  withdrawn: WithdrawnCard,
  finished: FinishedCard,
}

/** The component of each card; a host with low trust shows no regulated text itself. */
export const CARDS: Readonly<Record<Trust, Cards>> = {
  high: INLINE_CARDS,
  low: {
    ...INLINE_CARDS,
    'disclosure:service_status': HostedDisclosureCard,
    'disclosure:credit_search_consent': HostedDisclosureCard,
    consent_refused: HostedDisclosureCard,
    'disclosure:pre_contract_summary': HostedDisclosureCard,
  },
}
