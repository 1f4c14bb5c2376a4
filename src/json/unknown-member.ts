import { kindOf } from './kind-of.ts'

/** Two names are near when one becomes the other by so many letters left out, added, changed or swapped. */
const NEAR_STEPS = 2
/** Of shorter names half as many: otherwise all are near. */
const SHORT_CHARS = 6

/** The names of a type's members, written so that the compiler misses none and takes no other. */
export type KnownMembers<Type> = { readonly [Name in keyof Required<Type>]: true }

/**
 * Names a member of an object that is none of the known ones, with the one that was probably meant: Node
 * runs a program without checking its types, which may also give no object. `undefined` when all are known.
 */
export function unknownMember(given: unknown, known: object): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return `it must be an object, and is ${kindOf(given)}`
  }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name)) return mendOf(name, Object.keys(known))
  return undefined
}

function mendOf(unknown: string, names: readonly string[]): string {
  const meant = nearestName(unknown, names)
  const mend = meant === undefined ? `there are ${names.join(', ')}` : `did you mean "${meant}"?`
  return `it has an unknown "${unknown}": ${mend}`
}

/**
 * The same only where a known member that is absent was probably meant: for objects of others, which have more
 * members.
 */
export function misspeltMember(given: object, known: object): string | undefined {
  const absent = Object.keys(known).filter((name) => !Object.hasOwn(given, name))
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  const misspelt = unknown.find((name) => nearestName(name, absent) !== undefined)
  return misspelt === undefined ? undefined : mendOf(misspelt, absent)
}

/** Returns the name that was probably meant by one that is none of the known. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const written = name.toLowerCase()
  const ranked = known
    .map((each) => ({ each, steps: stepsBetween(written, each.toLowerCase()) }))
    .toSorted((one, other) => one.steps - other.steps)
  const [first] = ranked
  const most = name.length < SHORT_CHARS ? Math.min(NEAR_STEPS / 2, name.length - 1) : NEAR_STEPS
  return first !== undefined && first.steps <= most ? first.each : undefined
}

/** How many letters have to be left out, added, changed or swapped with their neighbour. */
function stepsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number): number =>
    rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    rows.push([row])
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const steps = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        ...(isSwapped ? [at(row - 2, column - 2) + 1] : []),
      ]
      rows[row]?.push(Math.min(...steps))
    }
  }
  return at(one.length, other.length)
}
