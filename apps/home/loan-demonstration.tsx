import { ArrowRight } from 'lucide'
import { useState } from 'react'
import { ClientError } from 'throughline/client'
import { Banner, Brand, Button, Icon, prepareMessage } from '../kit/index.ts'
import type { Scenario, StartedCase } from './case-links.ts'
import { demonstrationAddress, linksOf, startDemonstration } from './case-links.ts'
import { DemonstrationCard } from './demonstration-card.tsx'
import { unlessBlocked } from './kept-cases.ts'
import { LenderChoice } from './lender-choice.tsx'
import { isSignInNeeded } from './operator.ts'
import { SignIn } from './sign-in.tsx'
import { WORDS } from './words.ts'

type Start =
  | { readonly status: 'ready' | 'starting' | 'sign in needed' }
  | { readonly status: 'failed'; readonly error: ClientError }

export interface LoanDemonstrationProps {
  readonly onStarted: (started: StartedCase) => void
  readonly onSignedIn: () => void
}

/** Its button creates a demonstration case and opens its three pages side by side. */
export function LoanDemonstration({ onStarted, onSignedIn }: LoanDemonstrationProps) {
  const [scenario, setScenario] = useState<Scenario>('auto')
  const [start, setStart] = useState<Start>({ status: 'ready' })
  const begin = (): void => {
    setStart({ status: 'starting' })
    startDemonstration(scenario).then(
      (started) => {
        onStarted(started)
        openDemonstration(started)
      },
      (error: unknown) => {
        if (!(error instanceof ClientError)) return
        setStart(isSignInNeeded(error) ? { status: 'sign in needed' } : { status: 'failed', error })
      },
    )
  }
  const goOn = (): void => {
    onSignedIn()
    begin()
  }
  if (start.status === 'sign in needed') return <SignIn onSignedIn={goOn} />
  return (
    <DemonstrationCard words={WORDS.loan} mark={<Brand name="Clearpath" />}>
      <LenderChoice chosen={scenario} onChange={setScenario} />
      {start.status === 'failed' && (
        <Banner tone="problem">
          {WORDS.own.failed} {WORDS.own.cause(start.error.problem?.detail ?? start.error.message)}
        </Banner>
      )}
      <Button readiness={start.status === 'starting' ? 'waiting' : 'ready'} onClick={begin}>
        {WORDS.loan.start} <Icon shape={ArrowRight} />
      </Button>
    </DemonstrationCard>
  )
}

function openDemonstration({ sessionId, links }: StartedCase): void {
  unlessBlocked(() => prepareMessage(linksOf(sessionId).installer, WORDS.loan.message))
  location.assign(demonstrationAddress(sessionId, links))
}
