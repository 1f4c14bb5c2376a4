import { moneyWithPence } from '../../../kit/index.ts'
import { differencesOf, directionOf } from './compare-offers.ts'
import type { Difference, Terms } from './compare-offers.ts'
import { COUNTER_WORDS } from './counter-words.ts'
import { termText } from './term.ts'

/** A difference in a sentence, and the amount in it that is made to stand out. */
export interface DifferenceSentence {
  readonly of: Difference['of']
  readonly direction: Difference['direction']
  readonly sentence: string
  readonly amount: string
}

/** Says each difference in pounds or years, the dearest first. Pure. */
export function differenceSentences(asked: Terms, offered: Terms): readonly DifferenceSentence[] {
  return differencesOf(asked, offered).map(({ of, direction, by }) => {
    const amount = of === 'term' ? termText(by) : moneyWithPence(by)
    return { of, direction, sentence: COUNTER_WORDS[of][direction](amount), amount }
  })
}

/** The whole offer in a line: payments, time, cost. Pure. */
export function offerInShort(asked: Terms, offered: Terms): string {
  const differences = differencesOf(asked, offered)
  return COUNTER_WORDS.lead(
    COUNTER_WORDS.payments[directionOf(differences, 'monthly')],
    COUNTER_WORDS.time[directionOf(differences, 'term')],
    COUNTER_WORDS.cost[directionOf(differences, 'total')],
  )
}
