/** The terms offered as chips; any whole number of months between the bounds can be quoted. */
export const TERM_CHIPS_MONTHS: readonly number[] = [84, 120, 144, 180]
export const TERM_MONTHS_MIN = 36
export const TERM_MONTHS_MAX = 180

export function chipsLongerThan(termMonths: number): readonly number[] {
  return TERM_CHIPS_MONTHS.filter((chip) => chip > termMonths)
}
