/** In characters. A longer run without a blank counts as no word and may be cut. */
const WORD_MAX = 200

/**
 * The words of a text that begin between two places. A text that is taken in parts this way comes in whole
 * words, each once, wherever the parts were cut.
 */
export function wordsBetween(text: string, from: number, to: number): string {
  return text.slice(gapAfter(text, from), gapAfter(text, to))
}

/** The beginning of a text, not longer than a number of characters, that ends with a word. */
export function firstWords(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max + 1).search(/\s\S*$/)
  return text.slice(0, cut > 0 ? cut : max).trimEnd()
}

/** The first place from here on that no word spans. */
function gapAfter(text: string, from: number): number {
  const end = Math.min(text.length, from + WORD_MAX)
  for (let at = from; at < end; at++) if (isBlank(text, at - 1) || isBlank(text, at)) return at
  return end
}

function isBlank(text: string, at: number): boolean {
  const letter = text.charAt(at)
  return letter.trim() === ''
}
