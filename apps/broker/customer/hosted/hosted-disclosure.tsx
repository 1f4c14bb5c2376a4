import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry, ThreadView } from '../../../kit/index.ts'
import { Button, LinkButton, useTurns, inBackground } from '../../../kit/index.ts'
import { creditSearchConsent, isAcknowledged } from '../../case/gates.ts'
import type { CardProps } from '../actions.ts'
import { CardBarContext, CardFrame } from '../card-frame.tsx'
import { CardOutcome, SavingStatus } from '../card-outcome.tsx'
import type { ConsentCardProps } from '../cards/consent-card.tsx'
import { ConsentCard } from '../cards/consent-card.tsx'
import { ServiceStatusCard } from '../cards/disclosure-card.tsx'
import type { PreContractCardProps } from '../cards/pre-contract-card.tsx'
import { PreContractCard } from '../cards/pre-contract-card.tsx'
import { useHeadingFocus } from '../cards/use-heading-focus.ts'
import type { CaseView } from '../case-view.ts'
import { currentCard, disclosureOf } from '../current-card.ts'
import { readinessOf, useOfflinePress } from '../offline-press.ts'
import { RecordedLine } from '../recorded-line.tsx'
import { HOSTED_WORDS } from './hosted-words.ts'

const words = HOSTED_WORDS.page

export interface HostedDisclosureProps {
  readonly entry: PageEntry
  readonly live: ThreadSnapshot<ThreadView>
  readonly view: CaseView
  readonly disclosureId: string
}

/** The same card as in the journey, and so the same events; what follows happens in the journey. */
export function HostedDisclosure({ entry, live, view, disclosureId }: HostedDisclosureProps) {
  const turns = useTurns(entry, live)
  const [change, setChange] = useState<'unwanted' | 'wanted'>('unwanted')
  const id = HOSTED_IDS.find((known) => known === disclosureId)
  const isDue = id !== undefined && disclosureOf(currentCard(view)) === id
  useHeadingFocus(isDue ? `due, change ${change}` : 'over')
  const offlinePress = useOfflinePress()
  const record: CardProps['record'] = (directEvents) => {
    if (!navigator.onLine) return offlinePress.note('card')
    inBackground(turns.take({ directEvents }, 'card'))
  }
  const readiness = readinessOf(turns)
  const saving = <SavingStatus turns={turns} place="card" />
  const outcome = <CardOutcome turns={turns} place="card" offlineAt={offlinePress.place} />
  if (!isDue) {
    return (
      <>
        <RecordedLine domainRecords={live.view.domainRecords} view={view} />
        <Aftermath entry={entry} answered={isAnswered(view, id) ? 'yes' : 'no'} />
      </>
    )
  }
  if (change === 'wanted') return <Change entry={entry} onBack={() => setChange('unwanted')} />
  const Drawn = CARDS[id]
  return (
    <CardBarContext value={{ ask: null, saving, outcome, exit: null }}>
      <Drawn
        {...{ entry, view, readiness, record }}
        onAmend={() => setChange('wanted')}
        onChange={undefined}
        wayBack={<ToApplication entry={entry} />}
      />
    </CardBarContext>
  )
}

const HOSTED_IDS = ['service_status', 'credit_search_consent', 'pre_contract_summary'] as const
type HostedId = (typeof HOSTED_IDS)[number]

const CARDS: Readonly<
  Record<HostedId, (props: PreContractCardProps & ConsentCardProps) => ReactNode>
> = {
  service_status: ServiceStatusCard,
  credit_search_consent: ConsentCard,
  pre_contract_summary: PreContractCard,
}

function isAnswered(view: CaseView, id: HostedId | undefined): boolean {
  if (id === undefined) return false
  if (id === 'credit_search_consent') return creditSearchConsent(view) !== undefined
  return isAcknowledged(view, id)
}

interface PlaceProps {
  readonly entry: PageEntry
}

function Aftermath({ entry, answered }: PlaceProps & { readonly answered: 'yes' | 'no' }) {
  const isSaved = answered === 'yes'
  return (
    <CardFrame
      title={isSaved ? words.savedTitle : words.earlyTitle}
      lead={isSaved ? words.saved : words.early}
      actions={<ToApplication entry={entry} />}
    />
  )
}

function Change({ entry, onBack }: PlaceProps & { readonly onBack: () => void }) {
  return (
    <CardFrame
      title={words.changeTitle}
      lead={words.change}
      actions={
        <>
          <Button look="quiet" onClick={onBack}>
            {words.back}
          </Button>
          <ToApplication entry={entry} />
        </>
      }
    />
  )
}

/** For those whose application is not in another tab any more. */
function ToApplication({ entry }: PlaceProps) {
  const path = `/customer/${encodeURIComponent(entry.thread)}?trust=low${location.hash}`
  return (
    <LinkButton look="quiet" href={path}>
      {words.application}
    </LinkButton>
  )
}
