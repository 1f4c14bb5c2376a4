import { quotedNames } from '../json/index.ts'
import type { IndexValue, ValueRange } from '../log/index.ts'
import { ApplicationError } from './app-error.ts'
import { whyNoValue } from './declared-index.ts'

const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const
const SAME_SIDE = [
  ['gte', 'gt'],
  ['lte', 'lt'],
] as const

export function isRange(
  given: IndexValue | readonly IndexValue[] | ValueRange,
): given is Readonly<ValueRange> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

/** @throws {@link ApplicationError} `invalid_query` */
export function checkedRange(name: string, range: ValueRange): ValueRange {
  const given = Object.entries<unknown>({ ...range }).filter(([, bound]) => bound !== undefined)
  const why = whyNoBounds(given) ?? whyNoRange(new Map(given))
  if (why !== undefined) throw invalidQuery(`a range of "${name}"`, why)
  return Object.fromEntries(given)
}

function whyNoBounds(given: readonly (readonly [string, unknown])[]): string | undefined {
  const names = quotedNames(BOUNDS)
  for (const [name, value] of given) {
    if (!BOUNDS.some((bound) => bound === name)) return `it has no bound "${name}"; give ${names}`
    const isOrdered = typeof value === 'string' || typeof value === 'number'
    const why = isOrdered ? whyNoValue(value) : 'neither a text nor a number'
    if (why !== undefined) return `its "${name}" is ${why}; give a text or a finite number`
  }
  return given.length === 0 ? `it has no bound; give ${names}` : undefined
}

function whyNoRange(given: ReadonlyMap<string, unknown>): string | undefined {
  if (new Set([...given.values()].map((value) => typeof value)).size > 1) {
    return 'its bounds are a text and a number; give two of one type'
  }
  const twice = SAME_SIDE.find((side) => side.every((bound) => given.has(bound)))
  return twice && `it has ${quotedNames(twice)}; give one of them`
}

export function invalidQuery(what: string, why: string): ApplicationError {
  return new ApplicationError('invalid_query', `Cannot list threads by ${what}: ${why}`)
}
