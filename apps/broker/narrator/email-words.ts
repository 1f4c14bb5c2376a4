import { readNumbers } from './spoken-numbers.ts'

export interface EmailReading {
  readonly email?: string
  /** An address was given that cannot be one. */
  readonly wrong: boolean
  /** The message without the address. */
  readonly rest: string
}

const WORD = '[a-z0-9]+(?:[._-][a-z0-9]+)*'
const JOINT = '(?:dot|underscore|dash|hyphen|plus)'
const HOST = `${WORD}(?: (?:dash|hyphen) ${WORD})*`
const ENDING = '(?:(?: dot |\\.)[a-z]+)+'
const WRITTEN = /[a-z0-9._%+'’-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi
const SPOKEN = new RegExp(`\\b${WORD}(?: ${JOINT} ${WORD})* at ${HOST}${ENDING}\\b`, 'gi')
const INTRODUCED = "\\be-?mail(?: address)?(?:['’]s| is|:)? "
/** After "email is" all words up to "at" are the address, not only the last. */
const ANNOUNCED = new RegExp(
  `(?<=${INTRODUCED})(?!(?:is|address|should|to) )(?:(?!at )${WORD} ){2,8}at ${HOST}(?: ${WORD}){0,2}?${ENDING}\\b`,
  'gi',
)
const TAKEN_BACK = /\b(?:not|isn['’]?t|instead of|rather than) $/i
const GIVEN = new RegExp(`\\S@\\S|${INTRODUCED}(?:${WORD} )+at ${WORD}`, 'i')

/** Finds an email address, written or spoken. Where two are said, the last counts. */
export function readEmail(said: string): EmailReading {
  if (!/@|\bat\b/i.test(said)) return { wrong: false, rest: said }
  const text = said
    .replace(/\bg ?mail\b/gi, 'gmail')
    .replace(/\bhot mail\b/gi, 'hotmail')
    .replace(/(?<=\w) ?@ ?(?=[a-z0-9-]+(?:\.| dot )[a-z])/gi, '@')
    .replace(/(?<=@[a-z0-9-]+) dot (?=[a-z])/gi, '.')
  for (const form of [ANNOUNCED, SPOKEN, WRITTEN]) {
    const found = [...text.matchAll(form)].filter(
      ({ index }) => !TAKEN_BACK.test(text.slice(0, index)),
    )
    const email = found.at(-1)?.[0]
    if (email !== undefined) return { email: asWritten(email), wrong: false, rest: without(text) }
  }
  return { wrong: GIVEN.test(text), rest: without(text).replaceAll(/\S+@\S+/g, ' , ') }
}

function without(text: string): string {
  return [ANNOUNCED, SPOKEN, WRITTEN].reduce((rest, form) => rest.replace(form, ' , '), text)
}

function asWritten(words: string): string {
  return inDigits(words.toLowerCase())
    .replace(/ at (?!.* at )/, '@')
    .replaceAll(/ dot (?=\S)/g, '.')
    .replaceAll(/ underscore (?=\S)/g, '_')
    .replaceAll(/ plus (?=\S)/g, '+')
    .replaceAll(/ (?:dash|hyphen) (?=\S)/g, '-')
    .replaceAll('’', "'")
    .replaceAll(' ', '')
}

/** "Sarah eighty four" is sarah84. */
function inDigits(words: string): string {
  return readNumbers(words)
    .filter(({ from }) => /(?:^| )$/.test(words.slice(0, from)))
    .reduceRight(
      (text, { value, from, to }) => `${text.slice(0, from)}${value}${text.slice(to)}`,
      words,
    )
}
