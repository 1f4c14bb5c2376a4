import { normaliseMobile } from '../case/index.ts'
import type { CustomerContact } from '../case/index.ts'
import { readName } from './name-words.ts'
import { tokensOf } from './spoken-numbers.ts'
import type { Token } from './spoken-numbers.ts'

interface ContactReading {
  readonly contact: CustomerContact
  /** What was said, with email and mobile taken out. */
  readonly rest: string
}

/** Finds who the customer is and how to reach them. Where something is said twice, the last counts. */
export function readContact(said: string): ContactReading {
  const text = said.replace(/\bg ?mail\b/gi, 'gmail').replace(/\bhot mail\b/gi, 'hotmail')
  const { email, rest: withoutEmail } = readEmail(text)
  const { mobile, rest } = readMobile(withoutEmail)
  const name = readName(rest, { beside: email !== undefined || mobile !== undefined })
  return { contact: { ...name, ...(email && { email }), ...(mobile && { mobile }) }, rest }
}

const WORD = '[a-z0-9]+(?:[._-][a-z0-9]+)*'
const JOINT = '(?:dot|underscore|dash|hyphen)'
const DOMAIN = `${WORD}(?:(?: dot |\\.)[a-z]+)+`
const WRITTEN_EMAIL = /[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi
const SPOKEN_EMAIL = new RegExp(`\\b(${WORD}(?: ${JOINT} ${WORD})*) at (${DOMAIN})`, 'gi')
/** After "email is" all words up to "at" are the address, not only the last. */
const ANNOUNCED_EMAIL = new RegExp(
  `\\bemail(?: address)?(?:'s| is|:)? ((?:(?!at )${WORD} ){2,6})at (${DOMAIN})`,
  'i',
)

function readEmail(text: string): { readonly email?: string; readonly rest: string } {
  const announced = ANNOUNCED_EMAIL.exec(text)
  if (announced) {
    return { email: address(announced[1], announced[2]), rest: text.replace(announced[0], ' , ') }
  }
  const spoken = [...text.matchAll(SPOKEN_EMAIL)].at(-1)
  const written = text.match(WRITTEN_EMAIL)?.at(-1)
  const email = spoken ? address(spoken[1], spoken[2]) : written?.toLowerCase()
  if (email === undefined) return { rest: text }
  return { email, rest: text.replace(SPOKEN_EMAIL, ' , ').replace(WRITTEN_EMAIL, ' , ') }
}

function address(local = '', domain = ''): string {
  return `${asWritten(local)}@${asWritten(domain)}`
}

function asWritten(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/\bdot\b/g, '.')
    .replaceAll(/\bunderscore\b/g, '_')
    .replaceAll(/\b(?:dash|hyphen)\b/g, '-')
    .replaceAll(' ', '')
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

function readMobile(text: string): { readonly mobile?: string; readonly rest: string } {
  const tokens = tokensOf(text)
  let mobile: string | undefined
  let rest = text
  for (let at = 0; at < tokens.length;) {
    const { digits, end } = readDigits(tokens, at)
    const number = ukMobile(digits)
    const span = text.slice(tokens[at]?.from, tokens[end - 1]?.to)
    if (number !== undefined) rest = rest.replace(span, ' , ')
    mobile = number ?? mobile
    at = number === undefined ? at + 1 : end
  }
  return mobile === undefined ? { rest } : { mobile, rest }
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

interface Digits {
  readonly digits: string
  /** How many words they were. */
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
