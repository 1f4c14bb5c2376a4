/** Words that facts hang on, and that people mistype. */
const KEY_WORDS = [
  'solar',
  'panels',
  'battery',
  'batteries',
  'charger',
  'deposit',
  'customer',
  'mobile',
  'thousand',
  'hundred',
  'percent',
  'storage',
] as const
/** English words that are one letter away from a key word. */
const REAL_WORDS = new Set([
  'panel',
  'polar',
  'customers',
  'deposits',
  'charged',
  'changer',
  'panelled',
])
const WORD_CHARS_MIN = 5

/** Puts a mistyped key word right: two letters swapped, or one too many, too few or wrong. Pure. */
export function withKeyWordsSpelt(said: string): string {
  return said.replace(/(?<![\p{L}@.])\p{Ll}+(?![\p{L}@])/gu, (word) => {
    if (word.length < WORD_CHARS_MIN || REAL_WORDS.has(word)) return word
    return KEY_WORDS.find((key) => key !== word && isOneSlipAway(word, key)) ?? word
  })
}

function isOneSlipAway(word: string, key: string): boolean {
  if (Math.abs(word.length - key.length) > 1) return false
  const from = key.split('').findIndex((letter, at) => letter !== word[at])
  const at = from < 0 ? key.length : from
  const [restOfWord, restOfKey] = [word.slice(at), key.slice(at)]
  const swapped = `${restOfWord[1] ?? ''}${restOfWord[0] ?? ''}${restOfWord.slice(2)}`
  return (
    restOfWord.slice(1) === restOfKey.slice(1) ||
    restOfWord.slice(1) === restOfKey ||
    restOfWord === restOfKey.slice(1) ||
    swapped === restOfKey
  )
}

const DIGIT = 'one|two|three|four|five|six|seven|eight|nine'
const TEN = 'ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
const VALUES = new Map([
  ...DIGIT.split('|').map((word, at) => [word, at + 1] as const),
  ...TEN.split('|').map((word, at) => [word, (at + 1) * 10] as const),
])
const DEPOSIT = '(?:deposit|down|up ?front)'
const DIGITS_AND_TEN = new RegExp(
  `\\b(${DIGIT}) (${DIGIT}) (${TEN})\\b(?=(?: (?:pounds|quid))?(?: as)?(?: an?)? ${DEPOSIT}\\b)|` +
    `(?<=\\b${DEPOSIT}(?: is| of|:)?(?: about)? )(${DIGIT}) (${DIGIT}) (${TEN})\\b`,
  'gi',
)

/** "One seven fifty down" is a deposit of £1,750. Pure. */
export function withDepositInFigures(said: string): string {
  return said.replace(DIGITS_AND_TEN, (...match: readonly string[]) => {
    const [first = '', second = '', ten = ''] = match.slice(1, 7).filter(Boolean)
    const value = (word: string) => VALUES.get(word.toLowerCase()) ?? 0
    return String(value(first) * 1_000 + value(second) * 100 + value(ten))
  })
}
