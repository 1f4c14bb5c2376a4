import { randomBytes } from 'node:crypto'

const COUNTER_MAX = 0xfff
/** Chance is drawn for so many ids at once: to ask for it costs more than to make the id. */
const IDS_AT_ONCE = 256
/** One for the counter, eight for the id. */
const CHANCE_BYTES = 9
const DIGITS = Buffer.from('0123456789abcdef')

/**
 * Makes ids that rise: 48 bits of milliseconds, 12 of a counter that begins low each millisecond, and
 * 62 of chance. A clock that goes back, or stands still for 4,096 ids, is run ahead of.
 */
export function uuidv7Source(now: () => number): () => string {
  // The next id is written over the last one: to join its parts as texts costs twice as much.
  const text = Buffer.from('00000000-0000-7000-8000-000000000000')
  let time = 0
  let counter = 0
  let chance = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at === chance.length) {
      chance = randomBytes(IDS_AT_ONCE * CHANCE_BYTES)
      at = 0
    }
    const moment = now()
    const first = byteAt(chance, at++)
    if (moment > time) {
      time = moment
      counter = first
      writeTime(text, time)
    } else if (++counter > COUNTER_MAX) {
      time++
      counter = 0
      writeTime(text, time)
    }
    writeByte(text, 14, 0x70 | (counter >> 8))
    writeByte(text, 16, counter & 0xff)
    writeByte(text, 19, 0x80 | (byteAt(chance, at++) & 0x3f))
    writeByte(text, 21, byteAt(chance, at++))
    for (let digit = 24; digit < 36; digit += 2) writeByte(text, digit, byteAt(chance, at++))
    return text.toString('latin1')
  }
}

function byteAt(bytes: Buffer, index: number): number {
  return bytes[index] ?? 0
}

function writeTime(text: Buffer, time: number): void {
  const hex = time.toString(16).padStart(12, '0')
  text.write(`${hex.slice(0, 8)}-${hex.slice(8)}`, 'latin1')
}

/** Writes a byte as two hexadecimal digits. */
function writeByte(text: Buffer, at: number, byte: number): void {
  text[at] = byteAt(DIGITS, byte >> 4)
  text[at + 1] = byteAt(DIGITS, byte & 0xf)
}

/** A new UUIDv7; those of one process rise. */
export const uuidv7 = uuidv7Source(Date.now)
