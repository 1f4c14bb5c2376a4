import { isJsonArray, isJsonObject } from './json.ts'
import type { Json, JsonObject } from './json.ts'

/** Stands in the place of data that its reader may not see. */
export const REDACTED = '[redacted]'

/** A rule for one member, or one for each member of an object; items of arrays follow the rule of their array. */
export type KeptMembers = { readonly [member: string]: KeptMembers | ((value: Json) => Json) }

/**
 * Replaces the values at some paths, such as `name` or `contact.email`, by {@link REDACTED}. A path leads
 * through arrays to each of their items. A path that names nothing changes nothing. Pure.
 */
export function redactAt(value: Json, paths: readonly string[]): Json {
  return paths.reduce<Json>((rest, path) => changeAt(rest, path, () => REDACTED), value)
}

/**
 * Changes the values at a path. A value that the path cannot lead through is changed itself, since it may hold
 * what was meant. Pure.
 */
export function changeAt(value: Json, path: string, change: (value: Json) => Json): Json {
  if (isJsonArray(value)) return value.map((item) => changeAt(item, path, change))
  if (!isJsonObject(value)) return value === null ? value : change(value)
  // A member's name may hold a dot.
  const members = Object.entries(value).map(([member, given]) => {
    if (given === undefined) return [member, given]
    if (member === path) return [member, change(given)]
    const rest = path.startsWith(`${member}.`) ? path.slice(member.length + 1) : undefined
    return [member, rest === undefined ? given : changeAt(given, rest, change)]
  })
  return Object.fromEntries(members) as JsonObject
}

/** Leaves out the members that no rule names, and replaces each value that has another shape than its rule. Pure. */
export function keepOnly(value: Json, rules: KeptMembers): Json {
  if (isJsonArray(value)) return value.map((item) => keepOnly(item, rules))
  if (!isJsonObject(value)) return REDACTED
  const members = Object.entries(value).flatMap(([member, given]) => {
    const rule = Object.hasOwn(rules, member) ? rules[member] : undefined
    if (rule === undefined || given === undefined) return []
    return [[member, typeof rule === 'function' ? rule(given) : keepOnly(given, rule)]]
  })
  return Object.fromEntries(members) as JsonObject
}

/** Redacts a value; a reader that expects an object or an array gets an empty one. */
export function redactWhole(value: Json): Json {
  if (isJsonArray(value)) return []
  return isJsonObject(value) ? {} : REDACTED
}
