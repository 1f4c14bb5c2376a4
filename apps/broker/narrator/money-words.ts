import { readNumbers } from './spoken-numbers.ts'
import type { SpokenNumber } from './spoken-numbers.ts'

/** A number in its place: the words on both sides of it, up to the numbers beside it. */
export interface Mention extends SpokenNumber {
  readonly before: string
  readonly after: string
  /** The clause has nothing to say but this number. */
  readonly bare: boolean
}

const BARE =
  /^[\s£.,:]*(?:(?:no|sorry|it['’]?s|just|about|i meant?|actually|only|please)[\s.,:]*)*$/i
const BARE_AFTER = /^[\s.,%]*(?:(?:per ?cent|please|then|instead|actually|yes)[\s.,]*)*$/i

/** The numbers of a clause; what a number takes from its right is not before the next one. */
export function mentionsIn(clause: string): readonly Mention[] {
  const numbers = readNumbers(clause)
  const mentions: Mention[] = []
  for (const [index, number] of numbers.entries()) {
    const previous = mentions.at(-1)
    const gap = clause.slice(previous?.to ?? 0, number.from)
    const before = previous && takesDeposit(previous) ? gap.replace(TAKEN, '') : gap
    const after = clause.slice(number.to, numbers[index + 1]?.from ?? clause.length)
    const bare = index === 0 && BARE.test(gap) && BARE_AFTER.test(after)
    mentions.push({ ...number, before, after, bare })
  }
  return mentions
}

const TAKEN =
  /^ ?(?:%|per ?cent)?(?: (?:pounds|quid|cash|as|for|a|the))* ?(?:deposit|down|up ?front)\b/i

const DEPOSIT_BEFORE =
  /\b(?:deposit|put(?:s|ting)?(?: down)?)\b(?:(?! (?:on|for|total|price|project|job|system)\b)[ a-z'’:=-]){0,24}$/i

/** Whether a number is said to be a deposit. */
export function isDeposit(mention: Mention): boolean {
  const { before } = mention
  return DEPOSIT_BEFORE.test(before) || takesDeposit(mention)
}

/** In "value 15,000 deposit 1,500" the deposit is the second number. */
function takesDeposit({ before, after }: Mention): boolean {
  return TAKEN.test(after) && !PRICED_BEFORE.test(before)
}

export function isPercent({ after }: Mention): boolean {
  return /^ ?(?:%|per ?cent\b)/i.test(after)
}

const OTHER_PERCENT =
  /\b(?:vat|apr|interest|discount|commission|off|efficien\w+|rate|tax|return|sure|certain|chance|exports?|shad\w+|roof)\b/i

/** Whether a percentage is one of something else than the deposit. */
export function isOtherPercent({ before, after }: Mention): boolean {
  return OTHER_PERCENT.test(before) || OTHER_PERCENT.test(after)
}

const PRICED_BEFORE =
  /\b(?:value|cost|costs|price|priced|project|job|quoted?|total(?:['’]s)?|comes to|all in|altogether|system is|whole thing is)\b(?:(?! (?:reference|ref|number|no)\b)[ a-z'’:£]){0,24}$/i
const SHORT_PRICE_BEFORE =
  /\b(?:is|at|of|to|be|as|about|around|value|price|total|costs?)(?:['’]s)?:? $|['’]s $/i
const PRICED_AFTER =
  /^ ?(?:in )?(?:total|all[- ]in|altogether|job|project|system|install(?:ation)?)\b/i

/** Whether a number is said to be the price. */
export function isPriced(mention: Mention): boolean {
  const { before, after } = mention
  if (isShort(mention) && !SHORT_PRICE_BEFORE.test(before)) return false
  return PRICED_BEFORE.test(before) || PRICED_AFTER.test(after)
}

/** "Eighteen" can mean thousands, or nothing of the kind. */
export function isShort({ value, scaled, money }: Mention): boolean {
  return !scaled && !money && value > 0 && value < 100
}

const COUNTED =
  /^ ?-?(?:bed(?:room)?s?|months?|years?|yrs?|days?|weeks?|hours?|minutes?|mins?|batteries|modules|chargers?|inverters?|strings?|storeys?|floors?|degrees?|°|met(?:re|er)s?|m2|sq(?:uare|m)?|mm|cm|ft|feet|watts?|w|v|volts?|amps?|people|kids|x|×|st|nd|rd|th|of)\b/i
const DATED =
  /\b(?:jan\w*|feb\w*|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*|since|built|year|from|until|in) (?:in |of )?$/i
const REFERRED =
  /\b(?:ref|reference|order|invoice|number|no|serial|mpan|mprn|meter|reading|code|pin|id|ext|extension|plot|flat|unit|model|policy|account|version|epc|rating)\b\.?(?: (?:is|no|number|of|rating|reading))*:? ?#?$/i
const LENT =
  /\b(?:borrow(?:s|ing)?|loans?|lend|financ(?:e|ing)|balance|remaining|discount|rebate|cashback|scaffold\w*|commission)\b(?:(?! (?:for|on)\b)[ a-z'’:]){0,16}$/i
const LENT_AFTER =
  /^ ?(?:off\b|discount|rebate|cashback|grant|loan|(?:of )?vat\b|commission|to borrow|extra\b|cheaper)/i

/** Whether a number counts, dates or names something, or is money that is no price. */
export function isNoPrice(mention: Mention): boolean {
  const { before, after, value, money, scaled } = mention
  if (/\bnot (?:the )?$/i.test(before)) return true
  if (LENT.test(before) || LENT_AFTER.test(after)) return true
  if (money || scaled) return false
  const year = value >= 1_900 && value < 2_100 && DATED.test(before)
  const few = value < 1_000 && /^ ?(?:panels?|batter(?:y|ies))\b/i.test(after)
  return year || few || COUNTED.test(after) || REFERRED.test(before)
}

const RANGE = /^ ?(?:-|–|to|or) ?$/i

/** Whether two numbers beside each other are the ends of a range, or a choice. */
export function isRange(clause: string, first: SpokenNumber, second: SpokenNumber): boolean {
  const gap = clause.slice(first.to, second.from)
  const between = /\bbetween (?:£ ?)?$/i.test(clause.slice(0, first.from)) && / and /.test(gap)
  return between || RANGE.test(gap)
}
