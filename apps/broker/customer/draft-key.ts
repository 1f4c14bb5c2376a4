import type { PageEntry } from '../../kit/index.ts'
import type { CardName } from './current-card.ts'

/** Where the page keeps what was filled in on a card and not recorded yet. */
export function draftKey(card: CardName, { thread }: PageEntry): string {
  return `${card} ${thread}`
}
