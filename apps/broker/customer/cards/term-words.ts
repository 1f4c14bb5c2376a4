/** The term of a loan in words. */
export const TERM_WORDS = {
  years: (years: number) => (years === 1 ? '1 year' : `${years} years`),
  months: (months: number) => (months === 1 ? '1 month' : `${months} months`),
  together: (years: string, months: string) => `${years} and ${months}`,
  unit: (years: number) => (years === 1 ? 'year' : 'years'),
  monthsUnit: 'months',
}
