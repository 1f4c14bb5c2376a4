import type { Json } from './json.ts'

/** Equal blanks in a row, line breaks in a row, and combining marks in a row that are shown as they are. */
const BLANKS_SHOWN = 40
const BREAKS_SHOWN = 3
const MARKS_SHOWN = 3

/** Characters that are not seen, turn the direction, look like a blank, or are used by this notation. */
const UNSEEN = String.raw`(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u115f\u3164‹›↵]`

const HIDING = new RegExp(
  [
    // An escaped backslash, so that what follows it is not read as an escape.
    String.raw`\\\\`,
    String.raw`(?:\\n){${BREAKS_SHOWN + 1},}`,
    ` {${BLANKS_SHOWN + 1},}`,
    String.raw`\p{M}{${MARKS_SHOWN + 1},}`,
    String.raw`(?<unseen>${UNSEEN})\k<unseen>*`,
  ].join('|'),
  'gu',
)

/**
 * Returns JSON text in which a person sees every character of its strings: one that is invisible, turns the
 * direction of the text or repeats without end is written as `‹U+202E›` or `‹U+0020 × 11000›`. Different texts
 * stay different.
 */
export function visibleJson(json: string): string {
  return json.replaceAll(HIDING, (found) => {
    if (found === '\\\\') return found
    if (found.startsWith('\\n')) return notation('\n', found.length / 2)
    const [first = '', ...others] = found
    if (others.every((other) => other === first)) return notation(first, others.length + 1)
    return Array.from(found, (mark) => notation(mark, 1)).join('')
  })
}

/** Returns a text in which a person sees every character, as {@link visibleJson} writes them. */
export function visibleText(text: string): string {
  // The JSON of a string stays one.
  return JSON.parse(visibleJson(JSON.stringify(text))) as Json & string
}

function notation(character: string, count: number): string {
  const code = character.codePointAt(0) ?? 0
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return count === 1 ? `‹${name}›` : `‹${name} × ${count}›`
}
