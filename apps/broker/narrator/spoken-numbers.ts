export interface SpokenNumber {
  readonly value: number
  /** Its position in the text, in characters, with its sign and its "£". */
  readonly from: number
  readonly to: number
  /** A "thousand", "grand" or "k" was said, or meant, as in "seventeen five". */
  readonly scaled: boolean
  readonly negative: boolean
  /** Pounds were said. */
  readonly money: boolean
}

export interface Token {
  readonly word: string
  readonly from: number
  readonly to: number
}

interface Reading {
  readonly value: number
  readonly scaled: boolean
  /** The tokens after it begin here. */
  readonly end: number
}

const ONES = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
const TEENS = 'fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const SMALL = new Map<string, number>([
  ...`${ONES} ${TEENS}`.split(' ').map((word, value) => [word, value] as const),
  ...TENS.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
])
const SCALES = new Map([
  ['thousand', 1_000],
  ['grand', 1_000],
  ['k', 1_000],
  ['million', 1_000_000],
])
const PARTS: readonly (readonly [words: string, part: number])[] = [
  ['a half', 0.5],
  ['a quarter', 0.25],
  ['three quarters', 0.75],
]
const TOKEN = /\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[a-z]+/gi
/** "12 500", but not the groups of a phone's number. */
const SPACED_THOUSANDS = /(?<![\d.,]|\d )([1-9]\d{0,2}) (\d{3})(?![\d.,]*\d| \d)/g
/** A dash with a word before it and none after is a hyphen, one between blanks is a pause. */
const SIGN = /(?:\b(?:minus|negative) |(?<![\w)])[-−])$/i

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }))
}

/** The value of a number word up to ninety, or of digits as they are written; not of a phone's. */
function smallNumber(word: string | undefined): number | undefined {
  if (word === undefined || /^0\d/.test(word)) return undefined
  return /^\d/.test(word) ? Number(word.replaceAll(',', '')) : SMALL.get(word)
}

/** Finds the numbers in a clause, in digits, in words, or in both ("17 and a half thousand"). */
export function readNumbers(text: string): readonly SpokenNumber[] {
  const tokens = tokensOf(text.replace(SPACED_THOUSANDS, '$1,$2'))
  const found: SpokenNumber[] = []
  for (let at = 0; at < tokens.length;) {
    const reading = readHundreds(tokens, at) ?? new NumberReading(tokens, at).read()
    if (reading) found.push(inPlace(text, tokens.slice(at, reading.end), reading))
    at = Math.max(reading?.end ?? 0, at + 1)
  }
  return found
}

function inPlace(text: string, tokens: readonly Token[], reading: Reading): SpokenNumber {
  const { from = 0 } = tokens[0] ?? {}
  const { to = 0 } = tokens.at(-1) ?? {}
  const pound = matched(/£ ?[-−]?$/, text.slice(0, from))
  const pounds = matched(/^ ?(?:pounds|quid)\b/i, text.slice(to))
  const sign = matched(SIGN, text.slice(0, from - pound.length))
  const million = pound !== '' && /^m\b/i.test(text.slice(to)) ? 1_000_000 : 1
  return {
    value: tidy(reading.value * million),
    scaled: reading.scaled,
    negative: /\S/.test(sign) || /[-−]/.test(pound),
    money: pound !== '' || pounds !== '',
    from: from - pound.length - sign.length,
    to: to + pounds.length,
  }
}

function matched(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[0] ?? ''
}

/** In doubles 8.29 * 1000 is not 8290. */
function tidy(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

const MEASURED =
  /^(?:k|kwp?|kwh|kilowatts?|watts?|w|per|percent|thousand|grand|million|and|point|panels?|batter(?:y|ies)|days?|weeks?|months?|years?)$/

/** "Seventeen five" and "sixteen four fifty", as prices are said in short. */
function readHundreds(tokens: readonly Token[], at: number): Reading | undefined {
  const thousands = smallAt(tokens, at)
  if (thousands < 10 || (thousands >= 20 && thousands % 10 === 0)) return undefined
  const rest = shortTail(tokens, at + 1)
  if (!rest || MEASURED.test(wordAt(tokens, rest.end))) return undefined
  return { value: thousands * 1_000 + rest.value, scaled: true, end: rest.end }
}

function shortTail(tokens: readonly Token[], at: number) {
  const hundreds = smallAt(tokens, at)
  if (!isDigit(hundreds) || !adjoins(tokens, at)) return undefined
  const tens = smallAt(tokens, at + 1)
  if (tens < 10) {
    return { value: hundreds * 100, end: at + (wordAt(tokens, at + 1) === 'hundred' ? 2 : 1) }
  }
  const ones = smallAt(tokens, at + 2)
  const compound = tens >= 20 && isDigit(ones)
  return {
    value: hundreds * 100 + tens + (compound ? ones : 0),
    end: at + (compound ? 3 : 2),
  }
}

function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? ''
}

function smallAt(tokens: readonly Token[], at: number): number {
  return SMALL.get(wordAt(tokens, at)) ?? 0
}

function isDigit(value: number): boolean {
  return value >= 1 && value <= 9
}

function adjoins(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.from === (tokens[at - 1]?.to ?? 0) + 1
}

class NumberReading {
  #at: number
  readonly #tokens: readonly Token[]
  #total = 0
  #part: number | undefined
  #scaled = false

  constructor(tokens: readonly Token[], at: number) {
    this.#tokens = tokens
    this.#at = at
  }

  read(): Reading | undefined {
    if (!this.#start()) return undefined
    while (this.#step());
    return { value: this.#total + (this.#part ?? 0), scaled: this.#scaled, end: this.#at }
  }

  #word(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead]?.word
  }

  #start(): boolean {
    const article = this.#word() === 'a' && /^(?:hundred|thousand|grand)$/.test(this.#word(1) ?? '')
    const value = article ? 1 : smallNumber(this.#word())
    if (value === undefined) return false
    this.#part = value
    this.#at++
    return true
  }

  /** Takes the next words into the number, if they belong to it. */
  #step(): boolean {
    const word = this.#word() ?? ''
    if (word === 'hundred' && (this.#part ?? 0) % 100 !== 0) return this.#hundreds()
    const scale = SCALES.get(word)
    if (scale && !this.#scaled && this.#part !== undefined) return this.#scale(scale)
    if (word === 'and') return this.#fraction() || this.#add(1)
    if (word === 'point') return this.#decimals()
    return this.#add(0)
  }

  #hundreds(): boolean {
    this.#part = (this.#part ?? 1) * 100
    this.#at++
    return true
  }

  #scale(scale: number): boolean {
    this.#total = (this.#part ?? 1) * scale
    this.#part = undefined
    this.#scaled = true
    this.#at++
    return true
  }

  #fraction(): boolean {
    const said = `${this.#word(1)} ${this.#word(2)}`
    const [, part] = PARTS.find(([words]) => words === said) ?? []
    if (part === undefined || this.#part === undefined) return false
    this.#part += part
    this.#at += 3
    return true
  }

  #decimals(): boolean {
    const decimals: number[] = []
    for (let ahead = 1; ; ahead++) {
      const digit = smallNumber(this.#word(ahead))
      if (digit === undefined || digit > 9) break
      decimals.push(digit)
    }
    if (decimals.length === 0 || this.#part === undefined) return false
    this.#part = Number(`${this.#part}.${decimals.join('')}`)
    this.#at += decimals.length + 1
    return true
  }

  /** A part that is smaller than the one before it: "twenty" + "five", "five hundred" + "and ten". */
  #add(skipped: 0 | 1): boolean {
    const word = this.#word(skipped)
    const value = smallNumber(word)
    if (value === undefined || (skipped === 0 && /^\d/.test(word ?? ''))) return false
    const part = this.#part
    if (part === undefined ? !this.#scaled : !leavesRoom(part, value, skipped === 1)) return false
    this.#part = (part ?? 0) + value
    this.#at += skipped + 1
    return true
  }
}

function leavesRoom(part: number, value: number, joined: boolean): boolean {
  const room = part % 100
  if (part >= 100 && room === 0) return value < 100
  return !joined && room >= 20 && room % 10 === 0 && value > 0 && value < 10
}
