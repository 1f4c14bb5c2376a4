import type { Origin, Source } from 'throughline/client'
import styles from './actor-mark.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { WORDS } from './words.ts'

export type Actor = 'person' | 'model' | 'rule' | 'system'

const ACTOR_OF_SOURCE: Readonly<Record<Source, Actor>> = {
  ui: 'person',
  model: 'model',
  process: 'model',
  remote: 'model',
  rule: 'rule',
  system: 'system',
}

/** A program that names no agent acts by itself, as a webhook's sender does. */
export function actorOf({ source, agent }: Pick<Origin, 'source' | 'agent'>): Actor {
  const isProgram = (source === 'remote' || source === 'process') && agent === undefined
  return isProgram ? 'system' : ACTOR_OF_SOURCE[source]
}

/** Shows by shape who caused a change: colour alone would not say it to everyone. */
export function ActorMark({ actor }: { readonly actor: Actor }) {
  return (
    <span className={styles.mark}>
      <ActorShape actor={actor} />
      <VisuallyHidden>{WORDS.actor[actor]}: </VisuallyHidden>
    </span>
  )
}

/** The shape alone, beside words. */
export function ActorShape({ actor }: { readonly actor: Actor }) {
  return (
    <svg className={styles.shape} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      {shapeOf(actor)}
    </svg>
  )
}

function shapeOf(actor: Actor) {
  switch (actor) {
    case 'person':
      return <rect x="1" y="1" width="10" height="10" />
    case 'model':
      return <circle cx="6" cy="6" r="5.5" />
    case 'rule':
      return <path d="M6 0 12 6 6 12 0 6Z" />
    case 'system':
      return <path d="M6 0.5 12 11.5H0Z" />
  }
}
