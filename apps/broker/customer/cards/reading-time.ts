import type { Block } from '../../disclosures/body.ts'

/** A slow pace, as for a legal text. */
const WORDS_A_MINUTE = 180

/** Returns the reading time of a text in whole minutes, at least one. Pure. */
export function readingMinutes(blocks: readonly Block[]): number {
  const texts = blocks.flatMap((block) => (block.kind === 'paragraph' ? [block.text] : block.items))
  const words = texts.flatMap((text) => text.split(/\s+/).filter(Boolean)).length
  return Math.max(1, Math.round(words / WORDS_A_MINUTE))
}
