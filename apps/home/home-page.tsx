import { Plus, Users, UsersRound } from 'lucide'
import { useState } from 'react'
import { Brand, CommandPalette, LinkButton, inBackground } from '../kit/index.ts'
import { AgentsDemonstration } from './agents-demonstration.tsx'
import type { StartedCase } from './case-links.ts'
import { newDeskAddress } from './desk-address.ts'
import styles from './home.module.css'
import { Intro } from './intro.tsx'
import { forgetCase, forgetCases, keepCase, keptCases } from './kept-cases.ts'
import { LoanDemonstration } from './loan-demonstration.tsx'
import { placeCommands } from './place-commands.ts'
import { ServerHealth } from './server-health.tsx'
import { SignOut } from './sign-out.tsx'
import { OWN_CASE, StartCase } from './start-case.tsx'
import { StartedCases } from './started-cases.tsx'
import { useOperatorPage } from './use-operator-page.ts'
import { WORDS } from './words.ts'

export function HomePage() {
  const [cases, setCases] = useState(keptCases)
  const [isSignedIn, setSignedIn] = useState(false)
  const leave = (): void => {
    setSignedIn(false)
    // The server has removed the cookies that opened them.
    setCases(forgetCases())
  }
  const keep = ({ sessionId, kind, entry }: StartedCase): void => {
    if (entry === 'open') setCases(keepCase({ sessionId, kind, startedAt: Date.now() }))
  }
  const desk = useOperatorPage(newDeskAddress)
  const team = useOperatorPage(() => '/team')
  const commands = () => [
    { group: WORDS.palette.acts, label: WORDS.own.title, icon: Plus, run: openOwnCase },
    ...placeCommands(() => inBackground(desk.open())),
  ]
  const signedIn = (): void => setSignedIn(true)
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Brand name="Throughline" />
        <CommandPalette commands={commands} />
      </header>
      <main className={styles.main}>
        <Intro />
        {isSignedIn && <SignOut onSignedOut={leave} />}
        <div className={styles.demonstrations}>
          <LoanDemonstration onStarted={keep} onSignedIn={signedIn} />
          <AgentsDemonstration words={WORDS.desk} icon={Users} page={desk} />
          <AgentsDemonstration words={WORDS.team} icon={UsersRound} page={team} />
        </div>
        <StartedCases cases={cases} onForget={(sessionId) => setCases(forgetCase(sessionId))} />
        <p>
          <LinkButton look="quiet" href="/studio/">
            {WORDS.threads}
          </LinkButton>
        </p>
        <StartCase onStarted={keep} onSignedIn={signedIn} />
      </main>
      <ServerHealth />
    </div>
  )
}

function openOwnCase(): void {
  const part = document.getElementById(OWN_CASE)
  if (part instanceof HTMLDetailsElement) part.open = true
  part?.querySelector('summary')?.focus()
}
