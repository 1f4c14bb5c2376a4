import type { Turns } from '../../kit/index.ts'
import { Banner, TurnProblem, VisuallyHidden } from '../../kit/index.ts'
import type { OfflinePress, PressPlace } from './offline-press.ts'
import { SHELL_WORDS } from './shell-words.ts'

export interface CardOutcomeProps {
  readonly turns: Turns
  readonly place: PressPlace
  /** The place of a press without a network. */
  readonly offlineAt: OfflinePress['place']
}

/** Shows the outcome of an unsent press beside its button. */
export function CardOutcome({ turns, place, offlineAt }: CardOutcomeProps) {
  if (offlineAt === place) return <Banner tone="warning">{SHELL_WORDS.pressedOffline}</Banner>
  return <TurnProblem turns={turns} place={place} />
}

/** Reads out that a press is being saved; nothing of it is seen. */
export function SavingStatus({ turns, place }: Pick<CardOutcomeProps, 'turns' | 'place'>) {
  return (
    <VisuallyHidden>
      <span role="status">{turns.underWay?.place === place ? SHELL_WORDS.saving : ''}</span>
    </VisuallyHidden>
  )
}
