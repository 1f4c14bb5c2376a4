import { membersOf } from 'throughline'
import type { Json } from 'throughline'
import { plainValue } from '../../studio/story/index.ts'
import { memberInWords } from './member-words.ts'

const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })
const YEAR_MONTHS = 12

/** An amount with its pence, or in whole pounds where there are none. */
export function pounds(value: number): string {
  return POUNDS.format(value).replace(/\.00$/, '')
}

export function years(months: number): string {
  const [whole, rest] = [Math.floor(months / YEAR_MONTHS), months % YEAR_MONTHS]
  const parts = [counted(whole, 'year'), counted(rest, 'month')].filter((part) => part !== '')
  return parts.join(' and ') || '0 months'
}

function counted(count: number, unit: string): string {
  if (count === 0) return ''
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['panels_only', 'panels'],
  ['panels_battery', 'panels and battery'],
  ['panels_battery_ev', 'panels, battery and charger'],
  ['panels_battery_ev_other', 'panels, battery, charger and more'],
])

const isPounds = (member: string): boolean =>
  /Value|Amount|Payment|Payable|Income|Outgoings|^amount$/.test(member)

/** The value of a member of an event, as people write it. */
export function valueInWords(member: string, value: Json | undefined): string {
  if (typeof value === 'number') return numberInWords(member, value)
  return (typeof value === 'string' && PRODUCTS.get(value)) || plainValue(value)
}

function numberInWords(member: string, value: number): string {
  if (member.endsWith('Months')) return years(value)
  if (member.endsWith('Pct')) return `${value}%`
  if (member.endsWith('Kwp')) return `${value} kWp`
  if (member.endsWith('Kwh')) return `${value} kWh`
  return isPounds(member) ? pounds(value) : `${value}`
}

/** Every member of an event with its value, for a sentence. */
export function valuesInWords(data: Json): string {
  return Object.entries(membersOf(data))
    .map(([member, value]) => `${memberInWords(member)} ${valueInWords(member, value)}`)
    .join(', ')
}
