import type { Json } from './json.ts'

/** About how much text a value is, and how deep it is nested. */
export interface JsonSize {
  readonly chars: number
  readonly depth: number
}

/** Levels that a measure goes down: what lies deeper counts as endless. */
export const JSON_LEVELS_MAX = 1_000

const ENDLESS: JsonSize = { chars: Infinity, depth: 0 }
/** Values never change: one that several documents share, or one holds twice, is measured once. */
const known = new WeakMap<object, JsonSize>()

export function jsonSize(value: Json | undefined, level = 0): JsonSize {
  if (typeof value !== 'object' || value === null) {
    return { chars: typeof value === 'string' ? value.length + 2 : 5, depth: 0 }
  }
  if (level > JSON_LEVELS_MAX) return ENDLESS
  const before = known.get(value)
  if (before) return before
  let chars = 2
  let depth = 0
  // The type of the value says that its members are JSON.
  for (const [key, member] of Object.entries(value) as [string, Json][]) {
    const inner = jsonSize(member, level + 1)
    chars += inner.chars + key.length + 4
    depth = Math.max(depth, inner.depth + 1)
  }
  const size = { chars, depth }
  if (chars < Infinity) known.set(value, size)
  return size
}
