import { useState } from 'react'
import { Button, Disclosure, EmptyState, Tag, inBackground } from '../../kit/index.ts'
import { JobForm } from './job-form.tsx'
import styles from './team.module.css'
import { giveJob, tell } from './team-requests.ts'
import type { Job } from './team-requests.ts'
import type { TeamView } from './team-view.ts'
import { WORDS } from './words.ts'

export interface JobsProps {
  readonly view: TeamView
  readonly jobs: readonly Job[]
}

/** Work that can be offered to agents. */
export function Jobs({ view, jobs }: JobsProps) {
  return (
    <section className={styles.section} aria-labelledby="jobs-heading">
      <h2 id="jobs-heading">{WORDS.jobs.heading}</h2>
      {jobs.length === 0 && <EmptyState>{WORDS.jobs.none}</EmptyState>}
      <ul className={styles.rows}>
        {jobs.map((job) => (
          <JobRow key={job.jobId} job={job} view={view} jobs={jobs} />
        ))}
      </ul>
      <Disclosure summary={WORDS.jobs.add}>{() => <JobForm view={view} />}</Disclosure>
    </section>
  )
}

function JobRow({ job, view, jobs }: JobsProps & { readonly job: Job }) {
  const { name, description, status, assignedAgent, offeredTo = [] } = job
  // An agent has one job.
  const isFree = (agent: string) => jobs.every((each) => each.assignedAgent !== agent)
  const awake = Object.values(view.agents).find(
    (agent) => agent.status === 'alive' && isFree(agent.name) && !offeredTo.includes(agent.name),
  )
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
      {offeredTo.map((agentName) => (
        <Offer key={agentName} job={job} agentName={agentName} />
      ))}
    </li>
  )
}

/** An offer that its agent has neither taken nor declined: a person notes which. */
function Offer({ job, agentName }: { readonly job: Job; readonly agentName: string }) {
  const [fault, setFault] = useState<string>()
  const take = async (): Promise<void> => setFault(await giveJob(job, agentName))
  const decline = async (): Promise<void> =>
    setFault(await tell('/api/jobs/decline', { jobId: job.jobId, agentName }))
  return (
    <div className={styles.offer} role="group" aria-label={WORDS.jobs.offered(agentName)}>
      <Tag tone="note">{WORDS.jobs.offered(agentName)}</Tag>
      <Button look="quiet" onClick={() => inBackground(take())}>
        {WORDS.jobs.taken}
      </Button>
      <Button look="quiet" onClick={() => inBackground(decline())}>
        {WORDS.jobs.declined}
      </Button>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}
