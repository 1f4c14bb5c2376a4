import type { IconNode } from 'lucide'
import { ArrowRight, Check, Hand } from 'lucide'
import type { MouseEvent, ReactNode } from 'react'
import type { Actor } from '../kit/index.ts'
import { ActorShape, Icon, LinkButton, Tag, inBackground } from '../kit/index.ts'
import type { DemonstrationCardProps } from './demonstration-card.tsx'
import { DemonstrationCard } from './demonstration-card.tsx'
import styles from './demonstration-card.module.css'
import { SignIn } from './sign-in.tsx'
import type { OperatorPage } from './use-operator-page.ts'
import { WORDS } from './words.ts'

export interface AgentsDemonstrationProps {
  readonly words: DemonstrationCardProps['words'] & {
    /** Two agents and their tasks. */
    readonly agents: Readonly<Record<string, { readonly who: string; readonly does: string }>>
    /** The person's part. */
    readonly you: string
    readonly open: string
  }
  readonly icon: IconNode
  readonly page: OperatorPage
}

/** Leads to a page of agents. Asks for the operator's token first where the page needs it. */
export function AgentsDemonstration({ words, icon, page }: AgentsDemonstrationProps) {
  const { href, isSignInAsked, open, goOn } = page
  const follow = (event: MouseEvent): void => {
    // Other tabs open as they are asked for.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    inBackground(open())
  }
  if (isSignInAsked) return <SignIn onSignedIn={goOn} />
  return (
    <DemonstrationCard words={words} mark={<Icon shape={icon} />}>
      <ul className={styles.steps}>
        {Object.values(words.agents).map(({ who, does }) => (
          <Step key={who} actor="model" who={who} does={does}>
            <Tag tone="ok" icon={Check}>
              {WORDS.step.done}
            </Tag>
          </Step>
        ))}
        <Step actor="person" who={WORDS.step.you} does={words.you}>
          <Tag tone="warning" icon={Hand}>
            {WORDS.step.waits}
          </Tag>
        </Step>
      </ul>
      <LinkButton look="quiet" href={href} onClick={follow}>
        {words.open} <Icon shape={ArrowRight} />
      </LinkButton>
    </DemonstrationCard>
  )
}

interface StepProps {
  readonly actor: Actor
  readonly who: string
  readonly does: string
  /** Its progress. */
  readonly children: ReactNode
}

function Step({ actor, who, does, children }: StepProps) {
  return (
    <li>
      <ActorShape actor={actor} />
      <span>
        <b>{who}</b> {does}
      </span>
      <span className={styles.state}>{children}</span>
    </li>
  )
}
