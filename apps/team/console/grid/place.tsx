import { Egg, Hand, Moon, Terminal, X } from 'lucide'
import type { IconNode } from 'lucide'
import { visibleText } from 'throughline/client'
import { Icon, VisuallyHidden } from '../../../kit/index.ts'
import { LEAD_NAME } from '../../events/grid.ts'
import { workOf } from '../view/work-of.ts'
import type { Job } from '../team-requests.ts'
import { panelLink } from '../use-panel.ts'
import type { LiveTeam } from '../use-team.ts'
import type { Doing } from '../view/doing.ts'
import { shortCall } from '../view/short-call.ts'
import { doingIn } from '../view/standing.ts'
import { WORDS } from '../words.ts'
import { KnownFace, expressionOf } from './known-face.tsx'
import egg from './egg.module.css'
import styles from './place.module.css'

export interface PlaceProps {
  readonly team: LiveTeam
  readonly name: string
  readonly jobs: readonly Job[]
  readonly isOpen: boolean
}

const BADGES: Readonly<Partial<Record<Doing['state'], IconNode>>> = {
  asleep: Moon,
  waits: Hand,
  calls: Terminal,
  failed: X,
}

/** The place of an agent: its face, its job and what it does now. */
export function Place({ team, name, jobs, isOpen }: PlaceProps) {
  const { view } = team
  const now = doingIn(team, name)
  const badge = BADGES[now.state]
  const does = now.call ? shortCall(now.call) : WORDS.agents.doing[now.state]
  return (
    <li className={styles.place} data-state={now.state} data-lead={name === LEAD_NAME || undefined}>
      <a
        className={`${styles.who} ${styles[now.state] ?? ''}`}
        href={panelLink('agent', name)}
        aria-current={isOpen || undefined}
      >
        <span className={styles.pic}>
          <KnownFace agents={view.agents} name={name} expression={expressionOf(now)} size="place" />
          {badge && (
            <span className={styles.badge}>
              <Icon shape={badge} />
            </span>
          )}
        </span>
        <b>{visibleText(name)}</b>
        <span className={styles.role}>{jobOf(name, jobs)}</span>
        <span className={styles.does}>{does}</span>
      </a>
    </li>
  )
}

/** A place without an agent; an egg stands in the one that is being filled. */
export function FreePlace({ isEgg }: { readonly isEgg: boolean }) {
  return (
    <li className={`${styles.place} ${isEgg ? '' : styles.free}`}>
      <span className={`${styles.who} ${isEgg ? styles.hatching : ''}`}>
        {isEgg ? (
          <>
            <span className={`${styles.pic} ${egg.egg}`}>
              <Icon shape={Egg} />
            </span>
            <b>{WORDS.agents.hatching}</b>
            <span className={styles.does}>{WORDS.agents.hatchingNote}</span>
          </>
        ) : (
          <VisuallyHidden>{WORDS.agents.freePlace}</VisuallyHidden>
        )}
      </span>
    </li>
  )
}

/** What an agent has to do, and what it was offered. */
function jobOf(name: string, jobs: readonly Job[]): string {
  if (name === LEAD_NAME) return WORDS.agents.lead
  const { job, offers } = workOf(name, jobs)
  const offered = offers.length > 0 ? WORDS.agents.offered(offers.join(', ')) : undefined
  return [job, offered].filter((each) => each !== undefined).join(' · ') || WORDS.agents.noJob
}
