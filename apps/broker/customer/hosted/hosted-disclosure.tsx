import type { ReactNode, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry, ThreadView } from '../../../kit/index.ts'
import { Button, Card, LinkButton, useTurns } from '../../../kit/index.ts'
import { creditSearchConsent, isAcknowledged } from '../../case/gates.ts'
import type { CardProps } from '../actions.ts'
import { CardOutcome } from '../card-outcome.tsx'
import { ConsentCard } from '../cards/consent-card.tsx'
import { ServiceStatusCard } from '../cards/disclosure-card.tsx'
import type { PreContractCardProps } from '../cards/pre-contract-card.tsx'
import { PreContractCard } from '../cards/pre-contract-card.tsx'
import type { CaseView } from '../case-view.ts'
import { currentCard, disclosureOf } from '../current-card.ts'
import { RecordedLine } from '../recorded-line.tsx'
import { WORDS } from '../words.ts'
import styles from './hosted.module.css'

const words = WORDS.hosted.page

export interface HostedDisclosureProps {
  readonly entry: PageEntry
  readonly live: ThreadSnapshot<ThreadView>
  readonly view: CaseView
  readonly disclosureId: string
}

/** The same card as in the journey, and so the same events; what follows happens in the journey. */
export function HostedDisclosure({ entry, live, view, disclosureId }: HostedDisclosureProps) {
  const turns = useTurns(entry, live)
  const [amending, setAmending] = useState<'no' | 'yes'>('no')
  const id = HOSTED_IDS.find((known) => known === disclosureId)
  const isDue = id !== undefined && disclosureOf(currentCard(view)) === id
  const Drawn = CARDS[id ?? 'service_status']
  const shown = isDue ? `due, amending: ${amending}` : 'over'
  const place = useFocusedAfter(shown)
  const record: CardProps['record'] = (directEvents) => void turns.take({ directEvents }, 'card')
  const readiness = turns.status === 'sending' ? 'waiting' : 'ready'
  const card = { entry, view, readiness, record } as const
  return (
    <div ref={place} className={styles.place}>
      {!isDue && (
        <>
          <Aftermath entry={entry} answered={isAnswered(view, id) ? 'yes' : 'no'} />
          <RecordedLine domainRecords={live.view.domainRecords} />
        </>
      )}
      {isDue && amending === 'yes' && <Amending entry={entry} onBack={() => setAmending('no')} />}
      {isDue && amending === 'no' && (
        <>
          <Drawn {...card} onAmend={() => setAmending('yes')} onChange={undefined} />
          <CardOutcome turns={turns} place="card" />
        </>
      )}
    </div>
  )
}

/** Gives the focus to the heading of what comes in the place of something that had it. */
function useFocusedAfter(shown: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    place.current?.querySelector<HTMLElement>('[data-card-heading]')?.focus()
  }, [shown])
  return place
}

const HOSTED_IDS = ['service_status', 'credit_search_consent', 'pre_contract_summary'] as const
type HostedId = (typeof HOSTED_IDS)[number]

const CARDS: Readonly<Record<HostedId, (props: PreContractCardProps) => ReactNode>> = {
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
  const isRecorded = answered === 'yes'
  return (
    <Card title={isRecorded ? words.recordedTitle : words.earlyTitle}>
      <p role="status">{isRecorded ? words.recorded : words.early}</p>
      <ToApplication entry={entry} />
    </Card>
  )
}

function Amending({ entry, onBack }: PlaceProps & { readonly onBack: () => void }) {
  return (
    <Card title={words.amendTitle}>
      <p role="status">{words.amend}</p>
      <Button look="secondary" onClick={onBack}>
        {words.back}
      </Button>
      <ToApplication entry={entry} />
    </Card>
  )
}

/** For those whose application is not in another tab any more. */
function ToApplication({ entry }: PlaceProps) {
  const path = `/customer/${encodeURIComponent(entry.thread)}?trust=low${location.hash}`
  return (
    <LinkButton look="secondary" href={path}>
      {words.application}
    </LinkButton>
  )
}
