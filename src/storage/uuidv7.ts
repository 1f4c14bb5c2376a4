import { randomBytes } from 'node:crypto'

const COUNTER_MAX = 0xfff
/** Chance is drawn for so many ids at once: to ask for it costs more than to make the id. */
const IDS_AT_ONCE = 256
/** One for the counter, eight for the id. */
const CHANCE_BYTES = 9
const VARIANTS = '89ab'

/**
 * Makes ids that rise: 48 bits of milliseconds, 12 of a counter that begins low each millisecond, and
 * 62 of chance. A clock that goes back, or stands still for 4,096 ids, is run ahead of.
 */
export function uuidv7Source(now: () => number): () => string {
  let time = 0
  let counter = 0
  let timeText = ''
  let chance = ''
  let at = 0
  return () => {
    if (at === chance.length) {
      chance = randomBytes(IDS_AT_ONCE * CHANCE_BYTES).toString('hex')
      at = 0
    }
    const moment = now()
    if (moment > time) {
      time = moment
      counter = Number.parseInt(chance.slice(at, at + 2), 16)
      timeText = prefixOf(time)
    } else if (++counter > COUNTER_MAX) {
      time++
      counter = 0
      timeText = prefixOf(time)
    }
    const count = counter.toString(16).padStart(3, '0')
    const variant = VARIANTS.charAt(Number.parseInt(chance.charAt(at + 2), 16) & 3)
    const [middle, end] = [chance.slice(at + 3, at + 6), chance.slice(at + 6, at + 18)]
    at += 2 * CHANCE_BYTES
    return `${timeText}${count}-${variant}${middle}-${end}`
  }
}

function prefixOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`
}

/** A new UUIDv7; those of one process rise. */
export const uuidv7 = uuidv7Source(Date.now)
