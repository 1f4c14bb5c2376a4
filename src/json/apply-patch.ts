import { JSON_LEVELS_MAX, jsonSize } from './json-size.ts'
import { equalJson, isJsonObject, startOf } from './json.ts'
import type { Json } from './json.ts'
import { isIndex, unescaped } from './value-at.ts'

type Container = { [key: string]: Json }

/** Characters of a document that a patch may lead to, as JSON. */
export const PATCHED_CHARS_MAX = 8_388_608
/** Items that the operations of one patch may move within lists. */
export const PATCH_MOVES_MAX = 100_000_000

/** A JSON patch does not fit the document, or is none. Nothing of it was applied. */
export class PatchError extends Error {
  override readonly name = 'PatchError'
}

/**
 * Returns the document that an RFC 6902 patch leads to. The given one stays as it is and shares with the
 * new one what did not change or was copied, so the cost is that of the changed paths. It may have
 * `charsMax` characters.
 *
 * @throws {@link PatchError} when an operation does not fit; then nothing of the patch counts
 */
export function applyPatch(document: Json, patch: Json, charsMax = PATCHED_CHARS_MAX): Json {
  if (!Array.isArray(patch)) throw new PatchError('Cannot apply the patch: it is no list')
  // A pointer begins with the empty name before its first slash: that of the document itself.
  const root: Container = { '': document }
  const work: Work = { root, ours: new Set<unknown>([root]), moves: 0 }
  for (const operation of patch as readonly Json[]) applyOne(work, operation)
  const patched = root[''] ?? null
  requireBounded(patched, charsMax)
  return patched
}

function requireBounded(document: Json, charsMax: number): void {
  const { chars, depth } = jsonSize(document)
  if (chars <= charsMax && depth <= JSON_LEVELS_MAX) return
  const what = `more than ${charsMax} characters or ${JSON_LEVELS_MAX} levels`
  throw new PatchError(`Cannot apply the patch: it leads to ${what}`)
}

/** One patch as it is applied. */
interface Work {
  readonly root: Container
  /** The objects and lists that it may change, because it made them. */
  ours: Set<unknown>
  moves: number
}

function applyOne(work: Work, operation: Json): void {
  if (!isJsonObject(operation)) throw unfit(operation, 'it is no object')
  const { op, path, from, value } = operation
  const target = (): Place => placeAt({ work, operation }, path)
  const source = (): Place => placeAt({ work, operation }, from)
  if (op === 'add') add(target(), given(value, operation))
  else if (op === 'remove') remove(target())
  else if (op === 'replace') replace(target(), given(value, operation))
  else if (op === 'move') {
    if (leadsInto(from, path)) throw unfit(operation, 'a value cannot move into itself')
    const moved = read(source())
    remove(source())
    add(target(), moved)
  } else if (op === 'copy') {
    const copied = read(source())
    // Two places share it from now on, so no later operation may change it in place.
    work.ours = new Set([work.root])
    add(target(), copied)
  } else if (op !== 'test') throw unfit(operation, 'there is no such operation')
  else if (!equalJson(read(target()), given(value, operation))) {
    throw unfit(operation, 'the value is another')
  }
}

function leadsInto(from: Json | undefined, path: Json | undefined): boolean {
  return typeof from === 'string' && typeof path === 'string' && path.startsWith(`${from}/`)
}

/** The target of a JSON pointer: a member of an object or an item of a list that the patch may change. */
interface Place {
  readonly at: Container
  readonly key: string
  readonly operation: Json
  readonly work: Work
}

function placeAt(
  { work, operation }: Pick<Place, 'work' | 'operation'>,
  pointer: Json | undefined,
): Place {
  const keys = typeof pointer === 'string' ? pointer.split('/').map(unescaped) : ['none']
  const key = keys.pop() ?? ''
  if ((keys[0] ?? key) !== '') throw unfit(operation, 'its pointer does not begin with a slash')
  let at = work.root
  for (const name of keys) at = ownCopy({ at, key: name, operation, work })
  return { at, key, operation, work }
}

/** The object or list at a place, as a copy that the patch may change. */
function ownCopy(place: Place): Container {
  const found = read(place)
  if (typeof found !== 'object' || found === null) throw unfit(place.operation, NOTHING_THERE)
  // A list has its items under their indexes, as an object has its members.
  const container = found as Container
  const { ours } = place.work
  if (ours.has(container)) return container
  const copy = Array.isArray(container)
    ? (container.slice() as unknown as Container)
    : { ...container }
  ours.add(copy)
  put(place.at, place.key, copy)
  return copy
}

const NOTHING_THERE = 'nothing is there'

function read({ at, key, operation }: Place): Json {
  const isThere = Object.hasOwn(at, key) && (!Array.isArray(at) || isIndex(key))
  const value = isThere ? at[key] : undefined
  if (value === undefined) throw unfit(operation, NOTHING_THERE)
  return value
}

function remove(place: Place): void {
  const { at, key } = place
  read(place)
  if (!Array.isArray(at)) {
    delete at[key]
    return
  }
  countMoves(place, at.length - Number(key))
  at.splice(Number(key), 1)
}

function replace(place: Place, value: Json): void {
  read(place)
  put(place.at, place.key, value)
}

function countMoves({ work, operation }: Place, moves: number): void {
  work.moves += moves
  if (work.moves <= PATCH_MOVES_MAX) return
  throw unfit(operation, `the patch moves more than ${PATCH_MOVES_MAX} items of lists`)
}

function add(place: Place, value: Json): void {
  const { at, key, operation } = place
  if (!Array.isArray(at)) return put(at, key, value)
  const index = key === '-' ? at.length : Number(key)
  if ((key !== '-' && !isIndex(key)) || index > at.length) throw unfit(operation, NOTHING_THERE)
  countMoves(place, at.length - index)
  at.splice(index, 0, value)
}

/** Defines the member instead of assigning it, because its name may be `__proto__`. */
function put(at: Container, key: string, value: Json): void {
  Object.defineProperty(at, key, { value, configurable: true, enumerable: true, writable: true })
}

function given(value: Json | undefined, operation: Json): Json {
  if (value !== undefined) return value
  throw unfit(operation, 'it has no value')
}

const QUOTED_CHARS = 200

function unfit(operation: Json, why: string): PatchError {
  const text = startOf(JSON.stringify(operation), QUOTED_CHARS)
  return new PatchError(`Cannot apply ${text}: ${why}`)
}
