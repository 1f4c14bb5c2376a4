import { equalJson, isJsonArray, isJsonObject, ownMember } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'

/** One step of a JSON Patch (RFC 6902). */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }

interface Place {
  readonly path: string
  readonly operations: Operation[]
}

/**
 * Lists the operations that turn `before` into `after`; a member that is `undefined` is absent.
 *
 * An object that is the same on both sides is not compared, so where states share unchanged objects
 * only the change costs. Of an array the equal items at both ends stay as they are, and what lies
 * between them is matched by position.
 */
export function diff(before: Json, after: Json): readonly Operation[] {
  const operations: Operation[] = []
  compare(before, after, { path: '', operations })
  return operations
}

function compare(before: Json | undefined, after: Json | undefined, at: Place): void {
  const { path, operations } = at
  if (before === after) return
  if (after === undefined) operations.push({ op: 'remove', path })
  else if (before === undefined) operations.push({ op: 'add', path, value: after })
  else if (isJsonArray(before) && isJsonArray(after)) compareArrays(before, after, at)
  else if (isJsonObject(before) && isJsonObject(after)) compareObjects(before, after, at)
  else operations.push({ op: 'replace', path, value: after })
}

function compareObjects(before: JsonObject, after: JsonObject, at: Place): void {
  for (const key of Object.keys(before)) {
    const value = ownMember(after, key)
    if (before[key] !== value) compare(before[key], value, under(at, key))
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) compare(undefined, after[key], under(at, key))
  }
}

function compareArrays(before: readonly Json[], after: readonly Json[], at: Place): void {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && equalJson(before[start], after[start])) start++
  let end = 0
  while (end < shorter - start && equalJson(before.at(-1 - end), after.at(-1 - end))) end++
  for (let index = start; index < shorter - end; index++) {
    if (before[index] !== after[index]) compare(before[index], after[index], under(at, index))
  }
  // From the last one down, because every removal moves what follows it.
  for (let index = before.length - end - 1; index >= shorter - end; index--) {
    compare(before[index], undefined, under(at, index))
  }
  for (let index = shorter - end; index < after.length - end; index++) {
    compare(undefined, after[index], under(at, index))
  }
}

function under(at: Place, key: string | number): Place {
  return { path: `${at.path}/${nameInPath(key)}`, operations: at.operations }
}

/** Most names need no escaping, and escaping them costs more than the rest of the diff. */
function nameInPath(key: string | number): string | number {
  if (typeof key === 'number' || (!key.includes('~') && !key.includes('/'))) return key
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
