import { useState } from 'react'
import { Banner, LinkButton } from '../../kit/index.ts'
import { Pane } from './beside/pane.tsx'
import { AgentGrid } from './grid/agent-grid.tsx'
import { Screen } from './grid/screen.tsx'
import { Conversation } from './talk/conversation.tsx'
import { targetOf } from './talk/message-box.tsx'
import { TeamHeader } from './team-header.tsx'
import styles from './team.module.css'
import { fetchBudget, fetchJobs, fetchRules } from './team-requests.ts'
import type { AllowedRule, Job } from './team-requests.ts'
import { useKept } from './use-kept.ts'
import { usePanel } from './use-panel.ts'
import { useTeam } from './use-team.ts'
import { useTeamKeys } from './use-team-keys.ts'
import { WORDS } from './words.ts'

const NO_JOBS: readonly Job[] = []
const NO_RULES: readonly AllowedRule[] = []

/** The team, live, in one screen: faces and screen, the conversation, and one thing beside it. */
export function TeamPage() {
  const live = useTeam()
  const { versions, view } = live
  // The session of this browser is there once the first requests were answered.
  const from = (version: number) => (live.status === 'checking' ? undefined : version)
  const jobs = useKept(fetchJobs, from(versions.jobs)) ?? NO_JOBS
  const rules = useKept(fetchRules, from(versions.rules)) ?? NO_RULES
  const budget = useKept(fetchBudget, from(versions.budget + view.turns.length))
  const team = { ...live, budget }
  const panel = usePanel()
  const [target, setTarget] = useState('')
  useTeamKeys()
  if (team.status === 'refused') return <Refused />
  const writeTo = (name: string): void => {
    setTarget(targetOf(name))
    const focus = (): void => document.querySelector<HTMLElement>('[data-message-box]')?.focus()
    // On a narrow page the conversation is covered until the panel has closed.
    if (location.hash === '#talk') return focus()
    addEventListener('hashchange', focus, { once: true })
    location.hash = '#talk'
  }
  return (
    <div className={styles.page}>
      <a className={styles.skip} href="#needs-you">
        {WORDS.skip.needsYou}
      </a>
      <TeamHeader team={team} />
      <aside className={styles.left} aria-label={WORDS.left}>
        <Screen commands={view.commands} />
        <AgentGrid team={team} jobs={jobs} panel={panel} />
      </aside>
      <Conversation team={team} target={target} onTarget={setTarget} />
      <Pane team={team} kept={{ jobs, rules }} panel={panel} onWriteTo={writeTo} />
    </div>
  )
}

function Refused() {
  return (
    <main className={styles.refused}>
      <h1>{WORDS.title}</h1>
      <Banner
        tone="problem"
        action={
          <LinkButton look="quiet" href="/">
            {WORDS.status.toStart}
          </LinkButton>
        }
      >
        {WORDS.status.refused}
      </Banner>
    </main>
  )
}
