import { BATTERY_KWH_MAX, PROJECT_POUNDS_MAX, SYSTEM_KWP_MAX } from '../case/index.ts'
import type { ProjectFacts } from '../case/index.ts'
import {
  isDeposit,
  isNoPrice,
  isOtherPercent,
  isPercent,
  isPriced,
  isRange,
  isShort,
  mentionsIn,
} from './money-words.ts'
import type { Mention } from './money-words.ts'
import { clausesOf, isRunningCost } from './personal-words.ts'
import { readProduct } from './product-words.ts'
import type { Unclear } from './unclear.ts'

type MoneyField = 'projectValue' | 'depositAmount' | 'depositPct'
type Facts = { -readonly [K in keyof ProjectFacts]: ProjectFacts[K] }

/** Facts of earlier messages, for a message that corrects or extends them. */
export interface Recalled {
  readonly facts: ProjectFacts
  readonly last: MoneyField | undefined
}

interface ProjectReading extends Recalled {
  readonly unclear: readonly Unclear[]
}

export const NOTHING_RECALLED: Recalled = { facts: {}, last: undefined }

interface Reading {
  readonly facts: Facts
  readonly known: ProjectFacts
  readonly unclear: Set<Unclear>
  last: MoneyField | undefined
  correcting: boolean
  /** The price was called one, and not only given. */
  priced: boolean
}

const CORRECTION =
  /^\s*no\s*$|\bno,? (?:it['’]?s|make|wait)\b|\b(?:sorry|actually|scratch that|make (?:that|it|the)|i meant?|i said|rather|correction|should be)\b/i
const NO_DEPOSIT =
  /\b(?:no|without a?|nil) (?:money )?(?:deposit|down)\b|\bdeposit(?: is|:)? (?:nil|none|nothing)\b|\bnothing (?:down|up ?front)\b/i
const SHARES: readonly (readonly [words: string, pct: number])[] = [
  ['three quarters', 75],
  ['(?:a |one )?half', 50],
  ['(?:a |one )?quarter', 25],
  ['(?:a |one )?fifth', 20],
  ['(?:a |one )?tenth', 10],
]

/** Finds the figures and the product of a project in what an installer said. */
export function readProject(said: string, recalled = NOTHING_RECALLED): ProjectReading {
  const reading: Reading = {
    facts: {},
    known: recalled.facts,
    unclear: new Set(),
    last: recalled.last,
    correcting: false,
    priced: false,
  }
  for (const clause of clausesOf(said)) readClause(clause, reading)
  const productSpec = readProduct(said, recalled.facts.productSpec)
  return settled(reading, productSpec)
}

/** Drops contradictory facts, to be asked for, and facts that the domain computes. */
function settled(reading: Reading, productSpec: ProjectFacts['productSpec']): ProjectReading {
  const { facts, unclear, last } = reading
  if (unclear.has('prices')) delete facts.projectValue
  const { projectValue = Infinity, depositAmount = 0 } = facts
  if (depositAmount > projectValue) {
    delete facts.depositAmount
    unclear.add('deposit')
  }
  const { batteryKwh, systemKwp, ...money } = facts
  const product = productSpec ? { productSpec } : {}
  const power = { ...(systemKwp && { systemKwp }), ...(batteryKwh && { batteryKwh }) }
  return { facts: { ...money, ...product, ...power }, last, unclear: [...unclear] }
}

const NOTHING = /^\s*(?:none|nil|nothing|zero|nought)\b[\s.]*$/i

/** A figure and nothing else, as the answer to a question for one. */
export function readBareFigure(said: string, asked: 'project value' | 'deposit'): ProjectFacts {
  if (asked === 'deposit' && NOTHING.test(said)) return { depositAmount: 0 }
  const [number, more] = mentionsIn(said)
  if (!number || more || !number.bare || number.negative || isPercent(number)) return {}
  if (asked === 'project value') return { projectValue: inThousands(number) }
  return number.value >= 100 ? { depositAmount: number.value } : {}
}

function readClause(clause: string, reading: Reading): void {
  if (CORRECTION.test(clause)) reading.correcting = true
  if (NO_DEPOSIT.test(clause)) set(reading, 'depositAmount', 0)
  const share = shareOf(clause)
  if (share !== undefined) set(reading, 'depositPct', share)
  const running = isRunningCost(clause)
  const mentions = mentionsIn(clause)
  for (const [index, mention] of mentions.entries()) {
    const next = mentions[index + 1]
    const previous = mentions[index - 1]
    const range = [
      [mention, next],
      [previous, mention],
    ].some(([first, second]) => first && second && isRange(clause, first, second))
    if (readPower(mention, reading) || running) continue
    if (range && !isNoPrice(mention) && !isDeposit(mention)) reading.unclear.add('prices')
    else readMoney(mention, reading)
  }
}

function shareOf(clause: string): number | undefined {
  return SHARES.find(([words]) =>
    new RegExp(
      `\\b${words}(?: of (?:it|that|the (?:price|total|cost)))?(?: as)?(?: a)? (?:deposit|down|up ?front)\\b|` +
        `\\bdeposit(?: is| of|:)? ${words}\\b`,
      'i',
    ).test(clause),
  )?.[1]
}

function readPower({ value, after, before }: Mention, { facts }: Reading): boolean {
  if (/^[ -]?(?:kwh|kilowatt[ -]hours?)\b/i.test(after)) {
    const use =
      /\b(?:us(?:e|es|ed|ing|age)|generat\w+|produc\w+|export\w*|a year|per year|annual\w*)\b/i
    if (!use.test(before) && !use.test(after) && value <= BATTERY_KWH_MAX) facts.batteryKwh = value
    return true
  }
  if (!/^[ -]?(?:kwp?|kilowatts?(?: peak)?)\b/i.test(after)) return false
  const battery =
    /^[ -]?\w+ (?:battery|storage)/i.test(after) || /\bbattery(?: of)? $/i.test(before)
  if (value <= (battery ? BATTERY_KWH_MAX : SYSTEM_KWP_MAX))
    facts[battery ? 'batteryKwh' : 'systemKwp'] = value
  return true
}

function readMoney(mention: Mention, reading: Reading): void {
  if (isPercent(mention)) readShare(mention, reading)
  else if (isNoPrice(mention)) return
  else if (isDeposit(mention)) readDeposit(mention, reading)
  else readValue(mention, reading)
}

function readShare(mention: Mention, reading: Reading): void {
  const { value, before, negative, bare } = mention
  const share = isDeposit(mention) || /\bpay/i.test(before) || bare || reading.correcting
  if (!share || isOtherPercent(mention)) return
  if (negative) reading.unclear.add('negative')
  else if (value > 100) reading.unclear.add('percent')
  else set(reading, 'depositPct', value)
}

function readDeposit(mention: Mention, reading: Reading): void {
  const { value, negative } = mention
  if (negative) reading.unclear.add('negative')
  else if (!isShort(mention)) set(reading, 'depositAmount', value)
}

function readValue(mention: Mention, reading: Reading): void {
  const { correcting, last, unclear } = reading
  const priced = isPriced(mention)
  const stated = priced || mention.money
  if (!stated && mention.value < 1_000 && !correcting) return
  const fault = faultOf(mention)
  if (fault) {
    if (stated || mention.bare || mention.scaled) unclear.add(fault)
  } else if (correcting && !priced && last) correct(mention, reading, last)
  else setPrice(mention, reading)
}

function faultOf({ value, negative }: Mention): Unclear | undefined {
  if (negative) return 'negative'
  return value > PROJECT_POUNDS_MAX ? 'price' : undefined
}

/** Two prices are a question, unless one of them was called the price. */
function setPrice(mention: Mention, reading: Reading): void {
  const { facts, unclear, correcting } = reading
  const value = inThousands(mention)
  const priced = isPriced(mention)
  if (facts.projectValue !== undefined && facts.projectValue !== value && !correcting) {
    if (followsFrom(facts, value)) return set(reading, 'depositAmount', value)
    if (priced === reading.priced) unclear.add('prices')
    if (!priced) return
  }
  if (priced) unclear.delete('prices')
  reading.priced = priced
  facts.projectValue = value
  reading.last = 'projectValue'
}

/** "Ten percent, so £1,750" says the deposit twice. */
function followsFrom({ projectValue = 0, depositPct = 0 }: Facts, value: number): boolean {
  return depositPct > 0 && Math.abs((projectValue * depositPct) / 100 - value) < 0.01
}

function correct(mention: Mention, reading: Reading, field: MoneyField): void {
  if (field === 'depositPct' && isShort(mention)) return set(reading, field, mention.value)
  const known = { ...reading.known, ...reading.facts }
  const inHundreds = field === 'depositAmount' && (known.depositAmount ?? 0) < 1_000
  const value = inHundreds ? mention.value : inThousands(mention)
  // A deposit is never more than half the price, so a larger figure corrects the price.
  const isPrice = value > (known.projectValue ?? Infinity) / 2
  if (field === 'projectValue' || isPrice) setPrice(mention, reading)
  else set(reading, 'depositAmount', value)
}

/** A figure that was given before stays, unless the speaker takes it back. */
function set(reading: Reading, field: 'depositAmount' | 'depositPct', value: number): void {
  const { facts } = reading
  if (facts[field] !== undefined && !reading.correcting) return
  if (reading.correcting) {
    delete facts.depositAmount
    delete facts.depositPct
  }
  facts[field] = value
  reading.last = field
}

/** "Eighteen", of a price, is eighteen thousand. */
function inThousands(mention: Mention): number {
  return isShort(mention) && mention.value >= 2 ? mention.value * 1_000 : mention.value
}
