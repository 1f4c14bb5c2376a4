/** How deep a body's JSON may be nested. */
export const BODY_DEPTH_MAX = 32

/**
 * Parses JSON that means one thing only: no name twice in an object, none that reaches a prototype,
 * nothing deeper than {@link BODY_DEPTH_MAX}.
 *
 * @throws SyntaxError that says what is wrong
 */
export function parseStrictJson(text: string): unknown {
  const { depth, members } = survey(text)
  if (depth > BODY_DEPTH_MAX) throw new SyntaxError(`nested deeper than ${BODY_DEPTH_MAX}`)
  const value: unknown = JSON.parse(text)
  // A name given twice is one member once parsed, so the counts differ.
  if (countMembers(value) !== members) throw new SyntaxError('a name stands twice in an object')
  return value
}

/** Looks at the text outside strings: how deep it goes and how many members it writes. */
function survey(text: string): { depth: number; members: number } {
  let deepest = 0
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text[at]
    if (code === '"') at = endOfString(text, at)
    else if (code === ':') members++
    else if (code === '{' || code === '[') deepest = Math.max(deepest, ++depth)
    else if (code === '}' || code === ']') depth--
  }
  return { depth: deepest, members }
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const names = Array.isArray(value) ? [] : Object.keys(value)
  const forbidden = names.find((name) => name === '__proto__' || name === 'constructor')
  if (forbidden) throw new SyntaxError(`"${forbidden}" is not a name that a body may have`)
  return Object.values(value).reduce<number>(
    (sum, member) => sum + countMembers(member),
    names.length,
  )
}
