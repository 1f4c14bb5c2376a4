/** How deep a body's JSON may be nested. */
export const BODY_DEPTH_MAX = 32
/** Members and items that a body's JSON may hold: each costs many times its text. */
export const BODY_VALUES_MAX = 50_000

export interface JsonLimits {
  /** Nesting of objects and lists. */
  readonly depthMax: number
  /** Members of objects and items of lists. */
  readonly valuesMax: number
}

const BODY_LIMITS: JsonLimits = { depthMax: BODY_DEPTH_MAX, valuesMax: BODY_VALUES_MAX }

/**
 * Parses JSON that means one thing only: no name twice in an object, none that reaches a prototype, no
 * number that would be another one once read, and nothing beyond the limits, which are looked for first.
 *
 * @throws SyntaxError that names the fault, and repeats nothing of the text
 */
export function parseStrictJson(text: string, limits: JsonLimits = BODY_LIMITS): unknown {
  const members = survey(text, limits)
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

/** Characters outside strings that tell of values: each member has a colon, and each next value a comma. */
const LEVELS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 }

/** Looks at the text outside strings: how deep it goes, how many values it writes, which numbers. */
function survey(text: string, limits: JsonLimits): number {
  const seen = { depth: 0, members: 0, commas: 0 }
  for (let at = 0; at < text.length; at++) {
    const code = text[at] ?? ''
    if (code === '"') at = endOfString(text, at)
    else if (code === '-' || (code >= '0' && code <= '9')) at = endOfNumber(text, at)
    else if (code === ':') seen.members++
    else if (code === ',') seen.commas++
    else seen.depth += LEVELS[code] ?? 0
    requireWithin(seen, limits)
  }
  return seen.members
}

function requireWithin(
  { depth, members, commas }: { depth: number; members: number; commas: number },
  { depthMax, valuesMax }: JsonLimits,
): void {
  if (depth > depthMax) throw new SyntaxError(`nested deeper than ${depthMax}`)
  if (members > valuesMax || commas > valuesMax) {
    throw new SyntaxError(`it has more than ${valuesMax} members and items`)
  }
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
