/** Whole pennies, so that sums and comparisons of money are exact. */
export interface Repayment {
  readonly monthlyPennies: number
  readonly totalPennies: number
}

export const toPennies = (pounds: number): number => Math.round(pounds * 100)
export const toPounds = (pennies: number): number => pennies / 100

// The unrounded payment is known to about 1e-9 of a penny. At a rate above zero it is never a whole
// penny (a twelfth root would have to be rational), so what lies this little above one is noise.
const NOISE_PENNIES = 1e-6

/**
 * Level monthly payments, in arrears, of a loan at an effective annual rate, as a UK APR is one.
 *
 * The payment is rounded up to the penny; the total is that payment times the term.
 */
export function repayment(amount: number, aprPct: number, termMonths: number): Repayment {
  const unrounded = unroundedPennies(toPennies(amount), aprPct / 100, termMonths)
  const monthlyPennies = Math.ceil(unrounded - NOISE_PENNIES)
  return { monthlyPennies, totalPennies: monthlyPennies * termMonths }
}

function unroundedPennies(principal: number, annualRate: number, termMonths: number): number {
  if (annualRate === 0) return principal / termMonths
  // expm1 and log1p keep the digits that (1 + rate) ** (1 / 12) - 1 would cancel.
  const monthlyForce = Math.log1p(annualRate) / 12
  return (principal * Math.expm1(monthlyForce)) / -Math.expm1(-monthlyForce * termMonths)
}
