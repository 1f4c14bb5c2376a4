export interface SpokenNumber {
  readonly value: number
  /** Where it stands in the text, in characters. */
  readonly from: number
  readonly to: number
  /** A "thousand", "grand" or "k" was said. */
  readonly scaled: boolean
}

const ONES = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
const TEENS = 'fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const SMALL = new Map<string, number>([
  ...`${ONES} ${TEENS}`.split(' ').map((word, value) => [word, value] as const),
  ...TENS.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
])
const THOUSANDS = new Set(['thousand', 'grand', 'k'])
const TOKEN = /\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[a-z]+/gi

export interface Token {
  readonly word: string
  readonly from: number
  readonly to: number
}

export function tokensOf(text: string): readonly Token[] {
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
  const tokens = tokensOf(text)
  const found: SpokenNumber[] = []
  for (let at = 0; at < tokens.length;) {
    const reading = new NumberReading(tokens, at)
    const number = reading.read()
    if (number) found.push(number)
    at = Math.max(reading.at, at + 1)
  }
  return found
}

class NumberReading {
  at: number
  readonly #tokens: readonly Token[]
  #total = 0
  #part: number | undefined
  #scaled = false

  constructor(tokens: readonly Token[], at: number) {
    this.#tokens = tokens
    this.at = at
  }

  read(): SpokenNumber | undefined {
    const first = this.#tokens[this.at]
    if (!first || !this.#start()) return undefined
    while (this.#step());
    const last = this.#tokens[this.at - 1] ?? first
    const value = this.#total + (this.#part ?? 0)
    return { value, from: first.from, to: last.to, scaled: this.#scaled }
  }

  #word(ahead = 0): string | undefined {
    return this.#tokens[this.at + ahead]?.word
  }

  #start(): boolean {
    const article = this.#word() === 'a' && /^(?:hundred|thousand|grand)$/.test(this.#word(1) ?? '')
    const value = article ? 1 : smallNumber(this.#word())
    if (value === undefined) return false
    this.#part = value
    this.at++
    return true
  }

  /** Takes the next words into the number, if they belong to it. */
  #step(): boolean {
    const word = this.#word() ?? ''
    if (word === 'hundred' && (this.#part ?? 0) % 100 !== 0) return this.#hundreds()
    if (THOUSANDS.has(word) && !this.#scaled && this.#part !== undefined) return this.#thousands()
    if (word === 'and') return this.#half() || this.#add(1)
    if (word === 'point') return this.#decimals()
    return this.#add(0)
  }

  #hundreds(): boolean {
    this.#part = (this.#part ?? 1) * 100
    this.at++
    return true
  }

  #thousands(): boolean {
    this.#total = (this.#part ?? 1) * 1000
    this.#part = undefined
    this.#scaled = true
    this.at++
    return true
  }

  #half(): boolean {
    if (this.#word(1) !== 'a' || this.#word(2) !== 'half' || this.#part === undefined) return false
    this.#part += 0.5
    this.at += 3
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
    this.at += decimals.length + 1
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
    this.at += skipped + 1
    return true
  }
}

function leavesRoom(part: number, value: number, joined: boolean): boolean {
  if (part >= 100) return part % 100 === 0 && value < 100
  return !joined && part >= 20 && part % 10 === 0 && value > 0 && value < 10
}
