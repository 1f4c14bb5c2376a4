import { normaliseMobile } from '../case/index.ts'
import type { Token } from './spoken-numbers.ts'

export interface MobileReading {
  readonly mobile?: string
  /** A number was given as a phone's, and it is no UK mobile. */
  readonly wrong: boolean
  /** The message without the number. */
  readonly rest: string
}

const DIGITS = new Map(
  'zero one two three four five six seven eight nine'
    .split(' ')
    .map((word, digit) => [word, String(digit)]),
)
for (const zero of ['oh', 'o', 'nought']) DIGITS.set(zero, '0')
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, String(index + 2)]),
)
const REPEATS = new Map([
  ['double', 2],
  ['triple', 3],
])
/** A UK mobile with its country code; more digits in a row are something else. */
const MOBILE_DIGITS_MAX = 14
/** Of a phone's number that is not a mobile or not whole. */
const PHONE_DIGITS_MIN = 6
const ANNOUNCED =
  /(?:\b(?:mobile|phone|telephone|tel|cell|landline)|(?:\b(?:s?he|her|his|their|the|customer|client)(?:['’]s)? |['’]s |^\s*)number)(?:['’]s| is| number| no|:|\.)* \+?$/i
const TAKEN_UP =
  /^(?:[.,]\d| ?%| ?(?:per ?cent|k|grand|thousand|hundred|pounds|quid|kwp?|kwh|panels?|deposit)\b)/i

/** Finds a mobile number in digits and in words. Where two are said, the last counts. */
export function readMobile(text: string): MobileReading {
  const tokens = digitsAndWords(text)
  let mobile: string | undefined
  let wrong = false
  let rest = text
  for (let at = 0; at < tokens.length;) {
    const run = readRun(text, tokens, at)
    if (run.kind !== 'other') rest = rest.replace(run.span, ' , ')
    if (run.kind === 'mobile' && !/\bnot $/i.test(text.slice(0, run.from))) mobile = run.mobile
    wrong ||= run.kind === 'wrong'
    at = run.end
  }
  return mobile === undefined ? { wrong, rest } : { mobile, wrong: false, rest }
}

function digitsAndWords(text: string): readonly Token[] {
  return [...text.matchAll(/\d+|[a-z]+/gi)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }))
}

type Run = { readonly from: number; readonly end: number; readonly span: string } & (
  | { readonly kind: 'mobile'; readonly mobile: string }
  | { readonly kind: 'wrong' | 'other' }
)

function readRun(text: string, tokens: readonly Token[], start: number): Run {
  const from = tokens[start]?.from ?? 0
  const { digits, end } = readDigits(tokens, start)
  const place = (until: number) => ({
    from,
    end: until,
    span: spanOf(text, tokens, [start, until]),
  })
  const mobile = ukMobile(digits)
  const extra = mobile === undefined ? end : extraDigits(text, tokens, end)
  if (mobile !== undefined && extra === end) return { ...place(end), kind: 'mobile', mobile }
  const before = text.slice(0, from)
  const dialled =
    digits.length >= PHONE_DIGITS_MIN && (digits.startsWith('0') || /\+ ?$/.test(before))
  const announced = digits.length > 1 && ANNOUNCED.test(before)
  if (mobile !== undefined || dialled || announced) return { ...place(extra), kind: 'wrong' }
  return { ...place(start + 1), kind: 'other' }
}

function spanOf(text: string, tokens: readonly Token[], [start, end]: readonly [number, number]) {
  return text.slice(tokens[start]?.from, tokens[end - 1]?.to)
}

function readDigits(tokens: readonly Token[], start: number): { digits: string; end: number } {
  let digits = ''
  let end = start
  while (digits.length < MOBILE_DIGITS_MAX && !ukMobile(digits)) {
    const more = nextDigits(tokens, end, digits)
    if (!more) break
    digits += more.digits
    end += more.taken
  }
  return { digits, end }
}

/** Digits right behind a whole number make it a longer one, unless they count something else. */
function extraDigits(text: string, tokens: readonly Token[], end: number): number {
  let at = end
  for (; at < tokens.length; at++) {
    const { word = '', from = 0, to = 0 } = tokens[at] ?? {}
    const gap = text.slice(tokens[at - 1]?.to, from)
    const digits = /^\d{1,3}$/.test(word) || DIGITS.has(word)
    if (!/^[ -]$/.test(gap) || !digits || TAKEN_UP.test(text.slice(to))) break
  }
  return at
}

interface Digits {
  readonly digits: string
  /** The number of words. */
  readonly taken: number
}

function nextDigits(tokens: readonly Token[], at: number, before: string): Digits | undefined {
  const word = tokens[at]?.word ?? ''
  if (word === 'hundred' && before !== '') return { digits: '00', taken: 1 }
  const digits = /^\d+$/.test(word) ? word : DIGITS.get(word)
  if (digits !== undefined) return { digits, taken: 1 }
  const single = DIGITS.get(tokens[at + 1]?.word ?? '')
  return single === undefined ? roundTen(word) : twoWords(word, single)
}

function twoWords(word: string, single: string): Digits | undefined {
  const times = REPEATS.get(word)
  if (times !== undefined) return { digits: single.repeat(times), taken: 2 }
  const ten = TENS.get(word)
  return ten === undefined ? undefined : { digits: ten + single, taken: 2 }
}

function roundTen(word: string): Digits | undefined {
  const ten = TENS.get(word)
  return ten === undefined ? undefined : { digits: `${ten}0`, taken: 1 }
}

function ukMobile(digits: string): string | undefined {
  return normaliseMobile(digits.startsWith('44') ? `+${digits}` : digits)
}
