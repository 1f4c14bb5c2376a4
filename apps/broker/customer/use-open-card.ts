import { useState } from 'react'
import type { ChangeAnswer, Changeable } from './answers.ts'
import type { CaseView } from './case-view.ts'
import { mayChangeAnswers } from './case-view.ts'
import type { CardName } from './current-card.ts'
import { currentCard } from './current-card.ts'

export interface OpenCard {
  readonly card: CardName
  /** Where on the card the customer wants to go; otherwise its heading. */
  readonly field: string | undefined
  /** `again`: the customer has opened it again. */
  readonly opened: 'in turn' | 'again'
  /** How often the customer did something here: a card that follows on it takes the focus. */
  readonly acts: number
  readonly act: () => void
  readonly change: ChangeAnswer
  readonly close: () => void
}

/** The card of the next gate, or one that the customer has opened again. */
export function useOpenCard(view: CaseView): OpenCard {
  const [chosen, setChosen] = useState<{
    readonly card: Changeable
    readonly field: string | undefined
  }>()
  const [acts, setActs] = useState(0)
  const again = mayChangeAnswers(view) ? chosen : undefined
  const act = (): void => setActs((count) => count + 1)
  return {
    card: again?.card ?? currentCard(view),
    field: again?.field,
    opened: again === undefined ? 'in turn' : 'again',
    acts,
    act,
    change: (card, field) => {
      act()
      setChosen({ card, field })
    },
    close: () => setChosen(undefined),
  }
}
