import type { ProductSpec, ProjectFacts } from '../case/index.ts'
import { readNumbers } from './spoken-numbers.ts'
import type { SpokenNumber } from './spoken-numbers.ts'

/** A figure above it is a phone's number, not a project's value. */
const PROJECT_VALUE_MAX = 1_000_000

type MoneyField = 'projectValue' | 'depositAmount' | 'depositPct'

interface Reading {
  readonly facts: { -readonly [K in keyof ProjectFacts]: ProjectFacts[K] }
  last: MoneyField | undefined
  correcting: boolean
}

/** A number in its place: the words on both sides of it, within its clause. */
interface Mention extends SpokenNumber {
  readonly before: string
  readonly after: string
  readonly money: boolean
}

const CORRECTION =
  /^\s*no\s*$|\bno,? (?:it['’]?s|make|wait)\b|\b(?:sorry|actually|scratch that|make (?:that|it|the)|i mean|rather|correction)\b/i
const PRICED =
  /\b(?:value|cost|costs|price|priced|project|job|quote|quoted|total|comes to|worth|it's|system is)\b/i
const NO_DEPOSIT = /\b(?:no|zero|without a?|nil) deposit\b|\bnothing (?:down|up ?front)\b/i
const DEPOSIT_BEFORE =
  /\b(?:deposit|putting down|pays?|paying|put)(?: (?:of|is|will be|would be|to|about|down|'s))*:? ?£?$/i
const DEPOSIT_AFTER =
  /^ ?(?:%|per ?cent)?(?: (?:pounds|quid|cash|as|for|a|the))* ?(?:deposit|down\b|up ?front)/i
const OTHER_PERCENT = /\b(?:vat|apr|interest|discount|commission)\b/i

/** Finds the figures and the product of a project in what an installer said. */
export function readProject(said: string): ProjectFacts {
  const reading: Reading = { facts: {}, last: undefined, correcting: false }
  for (const clause of clausesOf(said)) readClause(clause, reading)
  const { facts } = reading
  const productSpec = readProduct(said)
  if (productSpec) facts.productSpec = productSpec
  if (facts.depositPct !== undefined && facts.projectValue !== undefined) {
    facts.depositAmount = Math.round(facts.projectValue * facts.depositPct) / 100
  }
  return facts
}

const BARE = /^[\s£.,]*(?:(?:it['’]?s|just|about|only|pounds|quid|yes|please)[\s£.,]*)*$/i

/** A figure and nothing else, as the answer to a question for one. */
export function readBareFigure(said: string, asked: 'project value' | 'deposit'): ProjectFacts {
  const [number, more] = readNumbers(said)
  if (!number || more || !BARE.test(said.slice(0, number.from) + said.slice(number.to))) return {}
  if (asked === 'project value') return { projectValue: inThousands(number) }
  return number.value >= 100 ? { depositAmount: number.value } : {}
}

export function clausesOf(said: string): readonly string[] {
  return said.split(/[;\n]|[,.](?=\s|$)|\band (?=(?:she|he|they)\b)/)
}

function readClause(clause: string, reading: Reading): void {
  if (CORRECTION.test(clause)) reading.correcting = true
  const { facts } = reading
  if (NO_DEPOSIT.test(clause)) facts.depositAmount = 0
  for (const number of readNumbers(clause)) {
    const mention: Mention = {
      ...number,
      before: clause.slice(0, number.from),
      after: clause.slice(number.to),
      money: isMoney(clause, number),
    }
    if (!readPower(mention, facts) && !readDeposit(mention, reading)) readValue(mention, reading)
  }
}

function isMoney(clause: string, { from, to }: SpokenNumber): boolean {
  return /£ ?$/.test(clause.slice(0, from)) || /^ ?(?:pounds|quid)\b/i.test(clause.slice(to))
}

function readPower({ value, after, before }: Mention, facts: Reading['facts']): boolean {
  if (/^[ -]?(?:kwh|kilowatt[ -]hours?)\b/i.test(after)) {
    facts.batteryKwh = value
    return true
  }
  if (!/^[ -]?(?:kwp?|kilowatts?(?: peak)?)\b/i.test(after)) return false
  const battery =
    /^[ -]?\w+ (?:battery|storage)/i.test(after) || /\bbattery(?: of)? $/i.test(before)
  if (battery) facts.batteryKwh = value
  else facts.systemKwp = value
  return true
}

function readDeposit(mention: Mention, reading: Reading): boolean {
  const { value, before, after } = mention
  if (/^ ?(?:%|per ?cent\b)/i.test(after)) {
    const other = OTHER_PERCENT.test(before) || OTHER_PERCENT.test(after)
    if (!other && value <= 100) set(reading, 'depositPct', value)
    return true
  }
  const stated = DEPOSIT_BEFORE.test(before) || DEPOSIT_AFTER.test(after)
  if (!stated) return false
  set(reading, 'depositAmount', value)
  return true
}

function readValue(mention: Mention, reading: Reading): void {
  if (/^ ?(?:panels?|months?|years?|batteries|modules|chargers?)\b/i.test(mention.after)) return
  if (reading.correcting && reading.last) return correct(mention, reading, reading.last)
  const priced = PRICED.test(mention.before) || mention.money
  const large = mention.value >= 1000
  if ((!large && !priced && !reading.correcting) || mention.value > PROJECT_VALUE_MAX) return
  set(reading, 'projectValue', inThousands(mention))
}

function correct(mention: Mention, reading: Reading, field: MoneyField): void {
  const thousands = field !== 'depositPct' && (reading.facts[field] ?? 0) >= 1000
  const value = thousands ? inThousands(mention) : mention.value
  if (field === 'depositPct' && value > 100) set(reading, 'depositAmount', value)
  else set(reading, field, value)
}

/** A figure that was given before stays, unless the speaker takes it back. */
function set(reading: Reading, field: MoneyField, value: number): void {
  const { facts } = reading
  if (facts[field] !== undefined && !reading.correcting) return
  if (field === 'depositAmount') delete facts.depositPct
  if (field === 'depositPct') delete facts.depositAmount
  facts[field] = value
  reading.last = field
}

/** "Eighteen", of a price, is eighteen thousand. */
function inThousands({ value, scaled }: SpokenNumber): number {
  return !scaled && value >= 2 && value < 100 ? value * 1000 : value
}

/** The specs say nothing of a charger without a battery: such a project is asked about. */
function readProduct(said: string): ProductSpec | undefined {
  const text = said.replace(
    /\b(?:no|without an?|not an?|minus the) (?:\w+ )?(?:battery|ev|charger)\b/gi,
    ' ',
  )
  const panels = /\b(?:solar|panels?|pv)\b/i.test(text)
  const battery = /\b(?:battery|batteries|storage|powerwall)\b/i.test(text)
  const charger = /\b(?:ev|charger|charge ?point|zappi)\b/i.test(text)
  const other = /\b(?:and|plus) (?:an)?other\b|\bother (?:extras|items|work)\b|\bheat pump\b/i.test(
    text,
  )
  if (battery && charger) return other ? 'panels_battery_ev_other' : 'panels_battery_ev'
  if (charger || other) return undefined
  if (battery) return 'panels_battery'
  return panels ? 'panels_only' : undefined
}
