import { randomUUID } from 'node:crypto'

const COUNTER_MAX = 0xfff

/**
 * Makes ids that rise: 48 bits of milliseconds, 12 of a counter that begins low each millisecond, and
 * 62 of chance. A clock that goes back, or stands still for 4,096 ids, is run ahead of.
 */
export function uuidv7Source(now: () => number): () => string {
  let time = 0
  let counter = 0
  return () => {
    // A version 4 id already carries the variant and the chance where version 7 wants them.
    const chance = randomUUID()
    const at = now()
    if (at > time) {
      time = at
      counter = Number.parseInt(chance.slice(0, 2), 16)
    } else if (++counter > COUNTER_MAX) {
      time++
      counter = 0
    }
    const hex = time.toString(16).padStart(12, '0')
    const count = counter.toString(16).padStart(3, '0')
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-${chance.slice(19)}`
  }
}

/** A new UUIDv7; those of one process rise. */
export const uuidv7 = uuidv7Source(Date.now)
