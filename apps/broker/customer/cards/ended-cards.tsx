import { Card } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { DisclosureText } from '../disclosure-text.tsx'
import { useDisclosureText } from '../use-disclosure.ts'
import { WORDS } from '../words.ts'
import { AcceptedOffer } from './accepted-offer.tsx'
import { CaseReference } from './case-reference.tsx'

export function HandoffCard() {
  return (
    <Card title={WORDS.handoff.title}>
      <p>{WORDS.handoff.text}</p>
    </Card>
  )
}

export function DeclinedCard({ view }: CardProps) {
  const shown = useDisclosureText('decline_signposting', undefined)
  return (
    <Card title={WORDS.declined.title}>
      <DisclosureText shown={shown} />
      <CaseReference view={view} />
    </Card>
  )
}

export function IneligibleCard({ view }: CardProps) {
  const { isOver18, isUkResident, isHomeowner, isEmployed } = view.eligibility ?? {}
  const answers = { isOver18, isUkResident, isHomeowner, isEmployed }
  const reasons = Object.entries(WORDS.ineligible.reasons)
    .filter(([criterion]) =>
      Object.entries(answers).some(([key, met]) => key === criterion && !met),
    )
    .map(([, reason]) => reason)
  return (
    <Card title={WORDS.ineligible.title}>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <p>{WORDS.ineligible.text}</p>
      <p>{WORDS.ineligible.next}</p>
      <CaseReference view={view} />
    </Card>
  )
}

export function WithdrawnCard({ view }: CardProps) {
  const { beforeLenders, afterLenders } = WORDS.withdrawn
  return (
    <Card title={WORDS.withdrawn.title}>
      <p>{view.waterfall ? afterLenders : beforeLenders}</p>
      <CaseReference view={view} />
    </Card>
  )
}

export function FinishedCard({ view }: CardProps) {
  const kind = view.caseOutcome?.kind ?? 'completed'
  return (
    <Card title={WORDS.complete.title}>
      <p>{WORDS.complete.outcomes[kind]}</p>
      {kind === 'selected' && <AcceptedOffer view={view} />}
      <CaseReference view={view} />
    </Card>
  )
}
