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
