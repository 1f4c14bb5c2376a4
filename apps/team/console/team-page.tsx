import { Banner, LinkButton } from '../../kit/index.ts'
import { AgentGrid } from './agent-grid.tsx'
import { Artifacts } from './artifacts.tsx'
import { Conversation } from './conversation.tsx'
import { Jobs } from './jobs.tsx'
import { NeedsYou } from './needs-you.tsx'
import { Screen } from './screen.tsx'
import { TeamHeader } from './team-header.tsx'
import styles from './team.module.css'
import { Usage } from './usage.tsx'
import { useJobs } from './use-jobs.ts'
import { useTeam } from './use-team.ts'
import { WORDS } from './words.ts'

/** The team, live: its agents, messages and works, and the questions that wait for a person. */
export function TeamPage() {
  const team = useTeam()
  const { view, status, permissions, jobsVersion } = team
  const jobs = useJobs(jobsVersion)
  if (status === 'refused') {
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
  return (
    <div className={styles.page}>
      <TeamHeader team={team} />
      <main className={styles.main}>
        <NeedsYou permissions={permissions} />
        <div className={styles.panes}>
          <AgentGrid view={view} status={status} jobs={jobs} />
          <Conversation team={team} />
          <div className={styles.work}>
            <Screen commands={view.commands} />
            <Artifacts artifacts={view.artifacts} />
            <Jobs view={view} jobs={jobs} />
            <Usage team={team} />
          </div>
        </div>
      </main>
    </div>
  )
}
