import { readBody } from './body.ts'
import type { Block } from './body.ts'

/** How many facts stand before the text of a disclosure that has them. */
export const KEY_FACTS = 4

/** One of the facts before the text; both parts are in the body, so its hash covers them. */
export type KeyFact = {
  readonly title: string
  readonly text: string
}

/** Writes a body that begins with its key facts, as a list. */
export function withKeyFacts(keyFacts: readonly KeyFact[], body: string): string {
  const items = keyFacts.map((fact) => `- ${inOneLine(fact)}`)
  return `${items.join('\n')}\n\n${body}`
}

/** Whether a body begins with exactly these key facts. */
export function beginsWith(body: string, keyFacts: readonly KeyFact[]): boolean {
  const [first] = readBody(body)
  const items = first?.kind === 'list' ? first.items : []
  return (
    items.length === keyFacts.length &&
    keyFacts.every((fact, index) => items[index] === inOneLine(fact))
  )
}

/** The blocks of a body behind its key facts. */
export function blocksBehind(keyFacts: readonly KeyFact[], body: string): readonly Block[] {
  const blocks = readBody(body)
  return keyFacts.length === 0 ? blocks : blocks.slice(1)
}

function inOneLine({ title, text }: KeyFact): string {
  return `${title}. ${text}`
}
