const LOCALE = 'en-GB'

const MONEY = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'GBP',
  trailingZeroDisplay: 'stripIfInteger',
})
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 })
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' })
const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })

/** An amount in pounds; the pence show when there are any. */
export function money(pounds: number): string {
  return MONEY.format(pounds)
}

export function percent(value: number): string {
  return `${NUMBER.format(value)}%`
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

export function dateTime(ms: number): string {
  return DATE_TIME.format(ms)
}
