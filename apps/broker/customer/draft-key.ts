import type { PageEntry } from '../../kit/index.ts'
import type { CardName } from './current-card.ts'

/** Returns the storage key for the draft of a card. */
export function draftKey(card: CardName, { thread }: PageEntry): string {
  return `${card} ${thread}`
}
