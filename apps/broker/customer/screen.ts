import type { Changeable } from './answers.ts'
import type { CaseView } from './case-view.ts'
import { mayChangeAnswers } from './case-view.ts'
import type { CardName } from './current-card.ts'
import { currentCard, isEnded } from './current-card.ts'
import type { HistoryState } from './page-history.ts'
import type { AnsweredPlace, JourneyPlace } from './steps.ts'
import { answeredTimes, placeOf } from './steps.ts'

/** The content of the page, under an open sheet. */
export type Screen =
  | { readonly kind: 'card'; readonly card: CardName; readonly place: JourneyPlace }
  | {
      readonly kind: 'changed'
      readonly card: Changeable
      readonly field: string | undefined
      readonly place: JourneyPlace
    }
  | { readonly kind: 'answered'; readonly place: AnsweredPlace; readonly at: string }
  | { readonly kind: 'saved'; readonly place: JourneyPlace }

/** Says what the page shows: what the case waits for, unless the customer went elsewhere. Pure. */
export function screenOf(view: CaseView, { entry, sheet }: HistoryState): Screen {
  const card = currentCard(view)
  const open = placeOf(card)
  if (sheet === 'saved' && !isEnded(card)) return { kind: 'saved', place: open }
  if (entry.change && mayChangeAnswers(view)) {
    const { card: again, field } = entry.change
    return { kind: 'changed', card: again, field, place: placeOf(again) }
  }
  const answered = [...answeredTimes(view)].find(([place]) => place === entry.place)
  if (entry.shows === 'answered' && answered && answered[0] !== open) {
    return { kind: 'answered', place: answered[0], at: answered[1] }
  }
  return { kind: 'card', card, place: open }
}
