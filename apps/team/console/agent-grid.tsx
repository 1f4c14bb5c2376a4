import { useId, useState } from 'react'
import { Button, ButtonRow, inBackground } from '../../kit/index.ts'
import { defaultFace } from '../events/agents.ts'
import { LEAD_POSITION, PALETTE } from '../events/grid.ts'
import type { TeamAgent } from '../events/agents.ts'
import { AgentFace } from './agent-face.tsx'
import styles from './grid.module.css'
import { tell } from './team-requests.ts'
import type { Job } from './team-requests.ts'
import { workOf } from './use-jobs.ts'
import type { AgentWork } from './use-jobs.ts'
import type { LiveTeam } from './use-team.ts'
import { isHatching, isWorking } from './team-view.ts'
import type { TeamView } from './team-view.ts'
import { WORDS } from './words.ts'

const PLACES = [0, 1, 2, 3, 4, 5, 6, 7, 8]

export interface AgentGridProps {
  readonly view: TeamView
  readonly status: LiveTeam['status']
  readonly jobs: readonly Job[]
}

/** Nine places: the lead in the middle, and up to eight agents around. */
export function AgentGrid({ view, status, jobs }: AgentGridProps) {
  const heading = useId()
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading}>{WORDS.agents.heading}</h2>
      <ol className={styles.grid}>
        {PLACES.map((position) => (
          <Place key={position} position={position} view={view} status={status} jobs={jobs} />
        ))}
      </ol>
      {view.session && <TeamActs view={view} />}
    </section>
  )
}

function Place(props: AgentGridProps & { readonly position: number }) {
  const { position, view, status, jobs } = props
  const agent = view.agents[position]
  if (position === LEAD_POSITION) return <Lead isAwake={view.session !== null} status={status} />
  if (!agent) {
    return (
      <li className={`${styles.place} ${styles.free}`}>
        {isHatching(view) ? WORDS.agents.hatching : WORDS.agents.empty}
      </li>
    )
  }
  const isAwake = agent.status === 'alive'
  const work = workOf(agent.name, jobs)
  return <Shown agent={agent} isAwake={isAwake} status={status} work={work} />
}

function Lead(props: Pick<ShownProps, 'isAwake' | 'status'>) {
  const { color } = PALETTE[LEAD_POSITION]
  const agent = { name: WORDS.lead, color, faceVariant: defaultFace(WORDS.lead) }
  return <Shown {...props} agent={agent} title={WORDS.agents.lead} />
}

interface ShownProps {
  readonly agent: Pick<TeamAgent, 'name' | 'color' | 'faceVariant'>
  readonly isAwake: boolean
  readonly status: LiveTeam['status']
  readonly title?: string
  readonly work?: AgentWork
}

function Shown({ agent, isAwake, status, title, work }: ShownProps) {
  const { name, color, faceVariant } = agent
  const state = isAwake ? WORDS.agents.awake : WORDS.agents.sleeping
  return (
    <li className={styles.place}>
      <AgentFace color={color} variant={faceVariant} isAwake={isAwake} />
      <span className={styles.name}>
        {name}
        {title !== undefined && <span className={styles.soft}> · {title}</span>}
      </span>
      <span className={styles.soft}>{status === 'checking' ? WORDS.agents.checking : state}</span>
      {work?.job !== undefined && <span className={styles.soft}>{WORDS.agents.job(work.job)}</span>}
      {work && work.offers.length > 0 && (
        <span className={styles.soft}>{WORDS.agents.offered(work.offers.join(', '))}</span>
      )}
    </li>
  )
}

function TeamActs({ view }: { readonly view: TeamView }) {
  const [asked, setAsked] = useState<'waking'>()
  const agents = Object.values(view.agents)
  const sleeping = agents.filter((agent) => agent.status === 'sleeping')
  const isWaking = asked === 'waking' && isWorking(view)
  const hasFreePlace = PLACES.some((place) => place !== LEAD_POSITION && !view.agents[place])
  if (!hasFreePlace && sleeping.length === 0) return null
  const wake = (): void => {
    setAsked('waking')
    const named = sleeping.map(({ name, gridPosition }) => ({ name, gridPosition }))
    inBackground(tell('/api/agents/wake', { agents: named }))
  }
  return (
    <ButtonRow>
      {hasFreePlace && (
        <Button
          look="quiet"
          readiness={isHatching(view) ? 'waiting' : 'ready'}
          onClick={() => inBackground(tell('/api/agents/summon'))}
        >
          {WORDS.agents.summon}
        </Button>
      )}
      {sleeping.length > 0 && (
        <Button look="quiet" readiness={isWaking ? 'waiting' : 'ready'} onClick={wake}>
          {isWaking ? WORDS.agents.waking : WORDS.agents.wake}
        </Button>
      )}
    </ButtonRow>
  )
}
