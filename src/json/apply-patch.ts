import { equalJson, isJsonObject, startOf } from './json.ts'
import type { Json } from './json.ts'

type Container = { [key: string]: Json }

/** A JSON patch does not fit the document, or is none. Nothing of it was applied. */
export class PatchError extends Error {
  override readonly name = 'PatchError'
}

/**
 * Returns the document that an RFC 6902 patch leads to. The given one stays as it is and shares with the
 * new one what did not change, so the cost is that of the changed paths.
 *
 * @throws {@link PatchError} when an operation does not fit; then nothing of the patch counts
 */
export function applyPatch(document: Json, patch: Json): Json {
  if (!Array.isArray(patch)) throw new PatchError('Cannot apply the patch: it is no list')
  // A pointer begins with the empty name before its first slash: that of the document itself.
  const root: Container = { '': document }
  const ours = new Set<unknown>([root])
  for (const operation of patch as readonly Json[]) applyOne(root, operation, ours)
  return root[''] ?? null
}

function applyOne(root: Container, operation: Json, ours: Set<unknown>): void {
  if (!isJsonObject(operation)) throw unfit(operation, 'it is no object')
  const { op, path, from, value } = operation
  const target = (): Place => placeAt({ root, ours, operation }, path)
  const source = (): Place => placeAt({ root, ours, operation }, from)
  if (op === 'add') add(target(), given(value, operation))
  else if (op === 'remove') remove(target())
  else if (op === 'replace') replace(target(), given(value, operation))
  else if (op === 'move') {
    if (leadsInto(from, path)) throw unfit(operation, 'a value cannot move into itself')
    const moved = read(source())
    remove(source())
    add(target(), moved)
  } else if (op === 'copy') {
    // Two places must not share what a later operation may change.
    const copied = JSON.parse(JSON.stringify(read(source()))) as Json
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
}

function placeAt(
  patch: { readonly root: Container; readonly ours: Set<unknown>; readonly operation: Json },
  pointer: Json | undefined,
): Place {
  const { root, ours, operation } = patch
  const keys = typeof pointer === 'string' ? pointer.split('/').map(unescaped) : ['none']
  const key = keys.pop() ?? ''
  if ((keys[0] ?? key) !== '') throw unfit(operation, 'its pointer does not begin with a slash')
  let at = root
  for (const name of keys) at = ownCopy({ at, key: name, operation }, ours)
  return { at, key, operation }
}

/** The object or list at a place, as a copy that the patch may change. */
function ownCopy(place: Place, ours: Set<unknown>): Container {
  const found = read(place)
  if (typeof found !== 'object' || found === null) throw unfit(place.operation, NOTHING_THERE)
  // A list has its items under their indexes, as an object has its members.
  const container = found as Container
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
  if (Array.isArray(at)) at.splice(Number(key), 1)
  else delete at[key]
}

function replace(place: Place, value: Json): void {
  read(place)
  put(place.at, place.key, value)
}

function add({ at, key, operation }: Place, value: Json): void {
  if (!Array.isArray(at)) return put(at, key, value)
  const index = key === '-' ? at.length : Number(key)
  if ((key !== '-' && !isIndex(key)) || index > at.length) throw unfit(operation, NOTHING_THERE)
  at.splice(index, 0, value)
}

/** Defines the member instead of assigning it, because its name may be `__proto__`. */
function put(at: Container, key: string, value: Json): void {
  Object.defineProperty(at, key, { value, configurable: true, enumerable: true, writable: true })
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key)
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
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
