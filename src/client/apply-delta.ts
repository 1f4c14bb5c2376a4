import type { Json } from '../json/index.ts'
import { broken } from './client-error.ts'
import type { ClientError } from './client-error.ts'
import { members } from './json.ts'

type Container = { [key: string]: Json }

/**
 * The state that a delta leads to: RFC 6902 as our server writes it, which adds, replaces and removes
 * members and items. The given state stays as it is and shares with the new one what did not change.
 *
 * @throws {@link ClientError} `protocol` when the delta does not fit the state
 */
export function applyDelta(state: Json, delta: Json): Json {
  if (!Array.isArray(delta)) throw unfit(delta)
  // A path begins with the empty name before its first slash: that of the state itself.
  const root = { '': state }
  const ours = new Set<unknown>([root])
  for (const operation of delta) {
    const { op, path, value } = members(operation)
    const keys = typeof path === 'string' ? path.split('/').map(unescaped) : []
    const last = keys.pop()
    if (last === undefined || (keys[0] ?? last) !== '') throw unfit(path)
    let at: Container = root
    for (const key of keys) at = ownCopy(at, key, ours)
    if (op === 'remove') remove(at, last)
    else if (value === undefined) throw unfit(path)
    else if (op === 'replace') put(at, existing(at, last), value)
    else if (op === 'add') add(at, last, value)
    else throw unfit(op)
  }
  return root['']
}

/** The member or item at a key, as a copy that may be changed. */
function ownCopy(at: Container, key: string, ours: Set<unknown>): Container {
  const found = at[existing(at, key)]
  if (typeof found !== 'object' || found === null) throw unfit(key)
  // A list has its items under their indexes, as an object has its members.
  const container = found as Container
  // This delta has made the copy, so it may change it again.
  if (ours.has(container)) return container
  const copy = Array.isArray(container)
    ? (container.slice() as unknown as Container)
    : { ...container }
  ours.add(copy)
  put(at, key, copy)
  return copy
}

function remove(at: Container, key: string): void {
  existing(at, key)
  if (Array.isArray(at)) at.splice(Number(key), 1)
  else delete at[key]
}

function add(at: Container, key: string, value: Json): void {
  if (!Array.isArray(at)) return put(at, key, value)
  if (key !== String(at.length)) existing(at, key)
  at.splice(Number(key), 0, value)
}

/** Not assigned: a member may be called `__proto__`. */
function put(at: Container, key: string, value: Json): void {
  Object.defineProperty(at, key, { value, configurable: true, enumerable: true, writable: true })
}

function existing(at: Container, key: string): string {
  if (Object.hasOwn(at, key) && !(Array.isArray(at) && key === 'length')) return key
  throw unfit(key)
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function unfit(fault: Json | undefined): ClientError {
  return broken(`a delta does not fit the state: ${JSON.stringify(fault)}`)
}
