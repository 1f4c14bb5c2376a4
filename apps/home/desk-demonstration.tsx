import { ArrowRight, Check, Hand, Users } from 'lucide'
import type { MouseEvent } from 'react'
import { ActorShape, Icon, LinkButton, Tag } from '../kit/index.ts'
import { DemonstrationCard } from './demonstration-card.tsx'
import styles from './demonstration-card.module.css'
import { SignIn } from './sign-in.tsx'
import type { DeskEntry } from './use-desk.ts'
import { WORDS } from './words.ts'

const STEPS = [
  { ...WORDS.desk.steps.orders, actor: 'model', tone: 'ok', icon: Check },
  { ...WORDS.desk.steps.policy, actor: 'model', tone: 'ok', icon: Check },
  { ...WORDS.desk.steps.you, actor: 'person', tone: 'warning', icon: Hand },
] as const

/** Leads to the desk. Asks for the operator's token first where the desk needs it. */
export function DeskDemonstration({ desk }: { readonly desk: DeskEntry }) {
  const { href, isSignInAsked, open, goOn } = desk
  const follow = (event: MouseEvent): void => {
    // Other tabs open as they are asked for.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void open()
  }
  if (isSignInAsked) return <SignIn onSignedIn={goOn} />
  return (
    <DemonstrationCard words={WORDS.desk} mark={<Icon shape={Users} />}>
      <ul className={styles.steps}>
        {STEPS.map(({ who, does, state, actor, tone, icon }) => (
          <li key={who}>
            <ActorShape actor={actor} />
            <span>
              <b>{who}</b> {does}
            </span>
            <span className={styles.state}>
              <Tag tone={tone} icon={icon}>
                {state}
              </Tag>
            </span>
          </li>
        ))}
      </ul>
      <LinkButton look="quiet" href={href} onClick={follow}>
        {WORDS.desk.open} <Icon shape={ArrowRight} />
      </LinkButton>
    </DemonstrationCard>
  )
}
