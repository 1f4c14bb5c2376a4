const COUNTER_MAX = 0xfff
/** Chance is drawn for so many ids at once: to ask for it costs more than to make the id. */
const IDS_AT_ONCE = 256
/** One for the counter, eight for the id. */
const CHANCE_BYTES = 9
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Makes ids that rise: 48 bits of milliseconds, 12 of a counter that begins low each millisecond, and
 * 62 of chance. When the clock goes back, or does not move for 4,096 ids, the ids run ahead of it.
 */
export function uuidv7Source(now: () => number): () => string {
  const chance = new Uint8Array(IDS_AT_ONCE * CHANCE_BYTES)
  let at = chance.length
  let time = 0
  let stamp = stampOf(time)
  let counter = 0
  const nextByte = (): number => chance[at++] ?? 0
  const hexByte = (): string => hexOf(nextByte())
  return () => {
    if (at === chance.length) {
      crypto.getRandomValues(chance)
      at = 0
    }
    const moment = now()
    const first = nextByte()
    if (moment > time) {
      time = moment
      counter = first
      stamp = stampOf(time)
    } else if (++counter > COUNTER_MAX) {
      time++
      counter = 0
      stamp = stampOf(time)
    }
    const version = hexOf(0x70 | (counter >> 8)) + hexOf(counter & 0xff)
    const variant = hexOf(0x80 | (nextByte() & 0x3f)) + hexByte()
    const rest = hexByte() + hexByte() + hexByte() + hexByte() + hexByte() + hexByte()
    return `${stamp}-${version}-${variant}-${rest}`
  }
}

/** The first two groups of an id. */
function stampOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

function hexOf(byte: number): string {
  return HEX[byte] ?? ''
}

/** A new UUIDv7; those of one process rise. */
export const uuidv7 = uuidv7Source(Date.now)
