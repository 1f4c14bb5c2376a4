import { MemoryKeys, MemoryLog, newSubjectKey } from '../log/index.ts'
import type { EventLog, Keys } from '../log/index.ts'
import { randomBytes } from '../platform/index.ts'

const keysOf = new WeakMap<MemoryLog, Keys>()

/** The keys of a log in memory, which last as long as the log; nothing for another log. */
export function memoryLogKeys(log: EventLog): Keys | undefined {
  if (!(log instanceof MemoryLog)) return undefined
  const known = keysOf.get(log)
  if (known) return known
  const keys = new MemoryKeys(() => newSubjectKey(randomBytes))
  keysOf.set(log, keys)
  return keys
}
