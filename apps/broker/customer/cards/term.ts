import { TERM_WORDS } from './term-words.ts'

const MONTHS_A_YEAR = 12

/** A number of months as people say it: whole years first, then the months that are left. */
export function termText(termMonths: number): string {
  const years = Math.floor(termMonths / MONTHS_A_YEAR)
  const months = termMonths % MONTHS_A_YEAR
  if (months === 0) return TERM_WORDS.years(years)
  if (years === 0) return TERM_WORDS.months(months)
  return TERM_WORDS.together(TERM_WORDS.years(years), TERM_WORDS.months(months))
}
