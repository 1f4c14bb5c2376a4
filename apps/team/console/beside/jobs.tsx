import { ChevronRight, Plus, Briefcase } from 'lucide'
import { useState } from 'react'
import {
  Button,
  ButtonRow,
  Icon,
  LinkButton,
  SummaryList,
  Tag,
  inBackground,
} from '../../../kit/index.ts'
import { KnownFace } from '../grid/known-face.tsx'
import { giveJob, tell } from '../team-requests.ts'
import type { Job } from '../team-requests.ts'
import { panelLink } from '../use-panel.ts'
import type { TeamView } from '../view/team-view.ts'
import { WORDS } from '../words.ts'
import styles from './jobs.module.css'
import { NothingYet, PanelHead } from './panel-parts.tsx'

export interface JobsProps {
  readonly view: TeamView
  readonly jobs: readonly Job[]
}

/** Work that can be offered to agents. */
export function Jobs({ view, jobs }: JobsProps) {
  return (
    <section aria-label={WORDS.jobs.heading}>
      <PanelHead title={WORDS.jobs.heading} note={countsOf(jobs)}>
        <LinkButton look="quiet" href={panelLink('new-job')}>
          <Icon shape={Plus} /> {WORDS.jobs.newJob}
        </LinkButton>
      </PanelHead>
      {jobs.length === 0 ? (
        <NothingYet icon={Briefcase} text={WORDS.jobs.none} />
      ) : (
        <ul className={styles.jobs}>
          {jobs.map((job) => (
            <JobRow key={job.jobId} job={job} view={view} jobs={jobs} />
          ))}
        </ul>
      )}
    </section>
  )
}

function countsOf(jobs: readonly Job[]): string {
  const filled = jobs.filter(({ status }) => status === 'filled').length
  const offered = jobs.filter(({ offeredTo = [] }) => offeredTo.length > 0).length
  return WORDS.jobs.counts(jobs.length - filled - offered, offered, filled)
}

function JobRow({ job, view, jobs }: JobsProps & { readonly job: Job }) {
  const { name, description, status, assignedAgent, offeredTo = [] } = job
  return (
    <li>
      <details className={styles.job}>
        <summary>
          <Icon shape={ChevronRight} />
          <span className={styles.name}>
            <b>{name}</b>
            {description !== '' && <span className={styles.meta}>{description}</span>}
          </span>
          {assignedAgent !== null ? (
            <span className={styles.filled}>
              <KnownFace agents={view.agents} name={assignedAgent} size="tiny" />
              {WORDS.jobs.filled(assignedAgent)}
            </span>
          ) : offeredTo.length > 0 ? (
            <Tag tone="warning">{WORDS.jobs.offered(offeredTo.join(', '))}</Tag>
          ) : (
            <Tag tone="outline">{WORDS.jobs.open}</Tag>
          )}
        </summary>
        <div className={styles.body}>
          <SummaryList rows={factsOf(job)} />
          {offeredTo.map((agentName) => (
            <Offer key={agentName} job={job} agentName={agentName} />
          ))}
          {status === 'open' && view.session && <OfferTo view={view} job={job} jobs={jobs} />}
        </div>
      </details>
    </li>
  )
}

function factsOf({ description, contextDocs, skills, files, aboutYou }: Job) {
  const facts = { description, contextDocs, skills, files: files.join('\n'), aboutYou }
  return Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => ({ name: WORDS.jobs[field as keyof typeof facts], value }))
}

/** The agents that have no job and no offer of this one; a sleeping one is woken first. */
function OfferTo({ job, view, jobs }: JobsProps & { readonly job: Job }) {
  const { name, description, offeredTo = [] } = job
  const hasJob = (agent: string) => jobs.some(({ assignedAgent }) => assignedAgent === agent)
  const free = Object.values(view.agents).filter(
    (agent) => !hasJob(agent.name) && !offeredTo.includes(agent.name),
  )
  const [chosen, choose] = useState('')
  const [fault, setFault] = useState<string>()
  const agent = free.find((each) => each.name === chosen) ?? free[0]
  if (!agent) return <p className={styles.meta}>{WORDS.jobs.nobody}</p>
  const isAsleep = agent.status === 'sleeping'
  const offer = async (): Promise<void> => {
    const agents = [{ name: agent.name, gridPosition: agent.gridPosition }]
    const failed = isAsleep ? await tell('/api/agents/wake', { agents }) : undefined
    const body = { agentName: agent.name, jobs: [{ name, description }] }
    setFault(failed ?? (await tell('/api/agents/offer', body)))
  }
  const give = async (): Promise<void> => setFault(await giveJob(job, agent.name))
  return (
    <>
      <fieldset className={styles.pickers}>
        <legend>{WORDS.jobs.offerTo}</legend>
        {free.map(({ name: each, status }) => (
          <label key={each}>
            <input
              type="radio"
              name={`offer-${job.jobId}`}
              checked={each === agent.name}
              onChange={() => choose(each)}
            />
            <KnownFace
              agents={view.agents}
              name={each}
              expression={status === 'alive' ? 'awake' : 'asleep'}
            />
            <span>
              <b>{each}</b>
              <span className={styles.meta}>
                {status === 'alive' ? WORDS.agents.doing.ready : WORDS.agents.doing.asleep}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <ButtonRow>
        <Button onClick={() => inBackground(offer())}>
          {isAsleep ? WORDS.jobs.wakeAndOffer(agent.name) : WORDS.jobs.offer(agent.name)}
        </Button>
        <Button look="quiet" onClick={() => inBackground(give())}>
          {WORDS.jobs.give(agent.name)}
        </Button>
      </ButtonRow>
      <Fault text={fault} />
    </>
  )
}

function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="alert" className={styles.fault}>
      {text}
    </p>
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
      <Fault text={fault} />
    </div>
  )
}
