const WHOLE = new Intl.NumberFormat('en-GB', {
  style: 'currency',
  currency: 'GBP',
  maximumFractionDigits: 0,
})
const PENCE = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

export function inPounds(amount: number): string {
  return Number.isInteger(amount) ? WHOLE.format(amount) : PENCE.format(amount)
}

export function inPercent(pct: number): string {
  return `${pct}%`
}

const MONTHS_A_YEAR = 12

/** A term as people say it: whole years, then the months that are left. */
export function inYears(termMonths: number): string {
  const years = Math.floor(termMonths / MONTHS_A_YEAR)
  const months = termMonths % MONTHS_A_YEAR
  const parts = [counted(years, 'year'), counted(months, 'month')]
  return parts.flat().join(' and ')
}

function counted(count: number, unit: string): readonly string[] {
  if (count === 0) return []
  return [`${count} ${unit}${count === 1 ? '' : 's'}`]
}
