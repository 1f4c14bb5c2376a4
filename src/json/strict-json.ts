/** How deep a body's JSON may be nested. */
export const BODY_DEPTH_MAX = 32

/**
 * Parses JSON that means one thing only: no name twice in an object, none that reaches a prototype, no
 * number that would be another one once read, nothing deeper than {@link BODY_DEPTH_MAX}.
 *
 * @throws SyntaxError that names the fault, and repeats nothing of the text
 */
export function parseStrictJson(text: string, depthMax: number = BODY_DEPTH_MAX): unknown {
  const { depth, members } = survey(text)
  if (depth > depthMax) throw new SyntaxError(`nested deeper than ${depthMax}`)
  const value = parse(text)
  // A name given twice is one member once parsed, so the counts differ.
  if (countMembers(value) !== members) throw new SyntaxError('an object has a name twice')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the text, which may be personal data; only its line and column are kept.
    const [place = ''] = /line \d+ column \d+/.exec(String(error)) ?? []
    throw new SyntaxError(place === '' ? 'it is not JSON' : `it is not JSON at ${place}`)
  }
}

/** Looks at the text outside strings: how deep it goes, how many members it writes, which numbers. */
function survey(text: string): { depth: number; members: number } {
  let deepest = 0
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text[at] ?? ''
    if (code === '"') at = endOfString(text, at)
    else if (code === ':') members++
    else if (code === '{' || code === '[') deepest = Math.max(deepest, ++depth)
    else if (code === '}' || code === ']') depth--
    else if (code === '-' || (code >= '0' && code <= '9')) at = endOfNumber(text, at)
  }
  return { depth: deepest, members }
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

const NUMBER = /[-+.\deE]+/y

/** The last character of a number, which has to be the number that it will be read as. */
function endOfNumber(text: string, from: number): number {
  NUMBER.lastIndex = from
  const [written = ''] = NUMBER.exec(text) ?? []
  const value = Number(written)
  if (/^-?0\d/.test(written)) throw new SyntaxError('a number begins with 0')
  if (Math.abs(value) === Infinity) throw new SyntaxError('a number is too large')
  if (value === 0 && /^-|^[^eE]*[1-9]/.test(written)) {
    throw new SyntaxError('a number is too small: it would be read as 0')
  }
  if (/^-?\d+$/.test(written) && written !== BigInt(value).toString() && written !== `${value}`) {
    throw new SyntaxError('a whole number is too large: its last digits would be lost')
  }
  return from + written.length - 1
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
