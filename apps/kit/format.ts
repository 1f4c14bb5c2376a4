import { LOCALE } from './locale.ts'

const MONEY = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'GBP',
  trailingZeroDisplay: 'stripIfInteger',
})
const PENCE = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'GBP' })
const PERCENT = new Intl.NumberFormat(LOCALE, {
  style: 'unit',
  unit: 'percent',
  maximumFractionDigits: 2,
})
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 })
const AMOUNT = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})
const [HOURS, MINUTES, SECONDS] = [unit('hour'), unit('minute'), unit('second')]
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' })
const DAY_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'short' })
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })
const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })

/** An amount in pounds; the pence show when there are any. */
export function money(pounds: number): string {
  return MONEY.format(pounds)
}

/** An amount in pounds, always with its pence: `£15,750.00`. */
export function moneyWithPence(pounds: number): string {
  return PENCE.format(pounds)
}

/** The same in two parts, for a figure whose pence are small: `£197` and `.71`. */
export function poundsAndPence(pounds: number): readonly [pounds: string, pence: string] {
  const parts = PENCE.formatToParts(pounds)
  const point = parts.findIndex(({ type }) => type === 'decimal')
  const text = (from: readonly Intl.NumberFormatPart[]) => from.map(({ value }) => value).join('')
  return [text(parts.slice(0, point)), text(parts.slice(point))]
}

export function percent(value: number): string {
  return PERCENT.format(value)
}

export function number(value: number): string {
  return NUMBER.format(value)
}

/** A date given as YYYY-MM-DD. */
export function date(iso: string): string {
  return DATE.format(new Date(`${iso}T00:00:00Z`))
}

export function time(ms: number): string {
  return TIME.format(ms)
}

/** A time of the day to the second. */
export function clockTime(ms: number): string {
  return CLOCK.format(ms)
}

/** The day of a moment, in short. */
export function day(ms: number): string {
  return DAY.format(ms)
}

export function dateTime(ms: number): string {
  return DATE_TIME.format(ms)
}

/** A moment as people say it: the day of the week, the date and the time. */
export function dayAndTime(ms: number): string {
  return DAY_TIME.format(ms)
}

/** A sum in a currency that is not known, to the millionth. */
export function amount(value: number): string {
  return AMOUNT.format(value)
}

/** A length of time in its two largest units; below ten seconds to the tenth. */
export function duration(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 10) return SECONDS.format(seconds)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const rest = Math.floor(seconds) % 60
  if (hours > 0) return `${HOURS.format(hours)} ${MINUTES.format(minutes)}`
  return minutes > 0 ? `${MINUTES.format(minutes)} ${SECONDS.format(rest)}` : SECONDS.format(rest)
}

function unit(name: 'hour' | 'minute' | 'second'): Intl.NumberFormat {
  const style = { style: 'unit', unit: name, unitDisplay: 'narrow' } as const
  return new Intl.NumberFormat(LOCALE, { ...style, maximumFractionDigits: 1 })
}
