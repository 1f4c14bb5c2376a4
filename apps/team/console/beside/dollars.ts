const DOLLARS = new Intl.NumberFormat('en-GB', {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 4,
})

export function dollars(amount: number): string {
  return DOLLARS.format(amount)
}
