import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'

/** Stands where personal data is hidden. */
export const HIDDEN = 'Hidden'

/** Hides the values at some paths, such as `contact` or `email.to`; the path `` hides all. Pure. */
export function hideAt(value: Json, paths: readonly string[]): Json {
  return paths.reduce<Json>(
    (rest, path) => hidePath(rest, path === '' ? [] : path.split('.')),
    value,
  )
}

function hidePath(value: Json, [member, ...rest]: readonly string[]): Json {
  if (member === undefined) return hideAll(value)
  const members = membersOf(value)
  if (!Object.hasOwn(members, member)) return value
  return { ...members, [member]: hidePath(members[member] ?? null, rest) }
}

/** Keeps the names of members. A list is hidden as a whole, because its length is information too. */
function hideAll(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return HIDDEN
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, hideAll(each ?? null)]),
  )
}
