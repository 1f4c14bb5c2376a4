import type { By } from './story/index.ts'

/** The sides of a thread, such as its customer, and which of them acted. */
export interface Sides {
  readonly of: (by: By) => string
  /** The name of each side. */
  readonly words: Readonly<Record<string, string>>
}

export function isOfSides(by: By, chosen: readonly string[], sides: Sides | undefined): boolean {
  return !sides || chosen.length === 0 || chosen.includes(sides.of(by))
}
