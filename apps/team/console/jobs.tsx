import { useEffect, useState } from 'react'
import { Button, Disclosure, EmptyState, Tag, inBackground } from '../../kit/index.ts'
import { JobForm } from './job-form.tsx'
import styles from './team.module.css'
import { fetchJobs, tell } from './team-requests.ts'
import type { Job } from './team-requests.ts'
import type { TeamView } from './team-view.ts'
import { WORDS } from './words.ts'

export interface JobsProps {
  readonly view: TeamView
  /** Changes when a job was saved. */
  readonly version: number
}

/** Work that can be offered to agents. */
export function Jobs({ view, version }: JobsProps) {
  const [jobs, setJobs] = useState<readonly Job[]>([])
  useEffect(() => {
    fetchJobs().then(setJobs, () => undefined)
  }, [version])
  return (
    <section className={styles.section} aria-labelledby="jobs-heading">
      <h2 id="jobs-heading">{WORDS.jobs.heading}</h2>
      {jobs.length === 0 && <EmptyState>{WORDS.jobs.none}</EmptyState>}
      <ul className={styles.rows}>
        {jobs.map((job) => (
          <JobRow key={job.jobId} job={job} view={view} />
        ))}
      </ul>
      <Disclosure summary={WORDS.jobs.add}>{() => <JobForm view={view} />}</Disclosure>
    </section>
  )
}

function JobRow({ job, view }: { readonly job: Job; readonly view: TeamView }) {
  const { name, description, status, assignedAgent } = job
  const awake = Object.values(view.agents).find((agent) => agent.status === 'alive')
  const offer = (agentName: string): void => {
    inBackground(tell('/api/agents/offer', { agentName, jobs: [{ name, description }] }))
  }
  return (
    <li className={styles.row}>
      <span className={styles.grow}>
        <b>{name}</b> <span className={styles.soft}>{description}</span>
      </span>
      <Tag tone={status === 'open' ? 'outline' : 'ok'}>
        {status === 'open' ? WORDS.jobs.open : WORDS.jobs.filled(assignedAgent ?? '')}
      </Tag>
      {status === 'open' && view.session && awake && (
        <Button look="quiet" onClick={() => offer(awake.name)}>
          {WORDS.jobs.offer} {awake.name}
        </Button>
      )}
    </li>
  )
}
