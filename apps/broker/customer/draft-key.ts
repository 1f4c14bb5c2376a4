import type { PageEntry } from '../../kit/index.ts'
import type { CardName } from './current-card.ts'

/** Where the page keeps the draft of a card that is not recorded yet. */
export function draftKey(card: CardName, { thread }: PageEntry): string {
  return `${card} ${thread}`
}
