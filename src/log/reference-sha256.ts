/**
 * SHA-256 written out after FIPS 180-4, so that the contract can recompute a log's chain without
 * the function that the log was given. Slow; not for production.
 */
export function referenceSha256(text: string): string {
  const words = paddedWords(utf8(text))
  let state = INITIAL
  for (let at = 0; at < words.length; at += 16) state = compress(state, words.slice(at, at + 16))
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

const PRIMES = firstPrimes(64)
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)))

function compress(state: readonly number[], block: readonly number[]): number[] {
  const schedule = expand(block)
  let mixed = state
  for (const [t, round] of ROUNDS.entries()) mixed = mix(mixed, (schedule[t] ?? 0) + round)
  return mixed.map((word, index) => (word + (state[index] ?? 0)) | 0)
}

function expand(block: readonly number[]): number[] {
  const w = [...block]
  for (let t = 16; t < 64; t++) {
    const [w16 = 0, w15 = 0] = w.slice(t - 16)
    const [w7 = 0] = w.slice(t - 7)
    const [w2 = 0] = w.slice(t - 2)
    w.push((small1(w2) + w7 + small0(w15) + w16) | 0)
  }
  return w
}

function mix(state: readonly number[], word: number): number[] {
  // A state always has its eight words.
  const [a, b, c, d, e, f, g, h] = state as Eight
  const t1 = h + big1(e) + ((e & f) ^ (~e & g)) + word
  const t2 = big0(a) + ((a & b) ^ (a & c) ^ (b & c))
  return [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g]
}

type Eight = readonly [number, number, number, number, number, number, number, number]

function big0(x: number): number {
  return turn(x, 2) ^ turn(x, 13) ^ turn(x, 22)
}
function big1(x: number): number {
  return turn(x, 6) ^ turn(x, 11) ^ turn(x, 25)
}
function small0(x: number): number {
  return turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)
}
function small1(x: number): number {
  return turn(x, 17) ^ turn(x, 19) ^ (x >>> 10)
}
function turn(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by))
}

function paddedWords(bytes: readonly number[]): number[] {
  const length = bytes.length
  const padded = [...bytes, 0x80]
  while (padded.length % 64 !== 56) padded.push(0)
  const words: number[] = []
  for (let at = 0; at < padded.length; at += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = padded.slice(at, at + 4)
    words.push((a << 24) | (b << 16) | (c << 8) | d)
  }
  return [...words, Math.floor(length / 0x2000_0000), length << 3]
}

function utf8(text: string): number[] {
  const bytes: number[] = []
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(code))
    else if (code < 0x1_0000) bytes.push(0xe0 | (code >> 12), tail(code >> 6), tail(code))
    else bytes.push(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code))
  }
  return bytes
}

function tail(code: number): number {
  return 0x80 | (code & 0x3f)
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n)
  return primes
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0
}
