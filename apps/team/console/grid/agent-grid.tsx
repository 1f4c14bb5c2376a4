import { Plus, Sunrise } from 'lucide'
import { useId, useState } from 'react'
import { Button, ButtonRow, Icon, inBackground } from '../../../kit/index.ts'

import { LEAD_NAME, LEAD_POSITION } from '../../events/grid.ts'
import { tell } from '../team-requests.ts'
import type { Job } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import type { Panel } from '../use-panel.ts'
import { isHatching, isWorking } from '../view/team-view.ts'
import type { TeamView } from '../view/team-view.ts'
import { WORDS } from '../words.ts'
import styles from './agent-grid.module.css'
import { FreePlace, Place } from './place.tsx'

const PLACES = [0, 1, 2, 3, 4, 5, 6, 7, 8]

export interface AgentGridProps {
  readonly team: LiveTeam
  readonly jobs: readonly Job[]
  readonly panel: Panel | undefined
}

/** Nine places: the lead in the middle, and up to eight agents around. Each face opens its agent. */
export function AgentGrid({ team, jobs, panel }: AgentGridProps) {
  const { view } = team
  const heading = useId()
  const free = PLACES.filter((place) => place !== LEAD_POSITION && !view.agents[place])
  const [egg] = isHatching(view) ? free : []
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{WORDS.agents.heading}</h2>
        <span className={styles.meta}>{awakeIn(view)}</span>
      </div>
      <ol className={styles.grid}>
        {PLACES.map((position) => {
          const name = position === LEAD_POSITION ? LEAD_NAME : view.agents[position]?.name
          if (name === undefined) return <FreePlace key={position} isEgg={position === egg} />
          return (
            <Place
              key={position}
              team={team}
              name={name}
              jobs={jobs}
              isOpen={panel?.name === 'agent' && panel.of === name}
            />
          )
        })}
      </ol>
      {view.session ? (
        <TeamActs view={view} free={free.length} />
      ) : (
        <p className={styles.hint}>{WORDS.agents.startFirst}</p>
      )}
    </section>
  )
}

function awakeIn({ agents, session }: TeamView): string {
  const all = Object.values(agents)
  const awake = all.filter(({ status }) => status === 'alive').length
  return WORDS.agents.awake(awake + (session ? 1 : 0), all.length - awake)
}

function TeamActs({ view, free }: { readonly view: TeamView; readonly free: number }) {
  const [asked, setAsked] = useState<'waking'>()
  const agents = Object.values(view.agents)
  const sleeping = agents.filter((agent) => agent.status === 'sleeping')
  const isWaking = asked === 'waking' && isWorking(view)
  const wake = (): void => {
    setAsked('waking')
    const named = sleeping.map(({ name, gridPosition }) => ({ name, gridPosition }))
    inBackground(tell('/api/agents/wake', { agents: named }))
  }
  return (
    <>
      <ButtonRow>
        {free > 0 && (
          <Button
            look="quiet"
            readiness={isHatching(view) ? 'waiting' : 'ready'}
            onClick={() => inBackground(tell('/api/agents/summon'))}
          >
            <Icon shape={Plus} /> {agents.length === 0 ? WORDS.agents.summon : WORDS.agents.more}
          </Button>
        )}
        {sleeping.length > 0 && (
          <Button look="quiet" readiness={isWaking ? 'waiting' : 'ready'} onClick={wake}>
            <Icon shape={Sunrise} />{' '}
            {isWaking ? WORDS.agents.waking : WORDS.agents.wake(sleeping.length)}
          </Button>
        )}
      </ButtonRow>
      {free > 0 && (
        <p className={styles.hint}>
          {isHatching(view) ? WORDS.agents.hatchingHint : WORDS.agents.free(free)}
        </p>
      )}
    </>
  )
}
