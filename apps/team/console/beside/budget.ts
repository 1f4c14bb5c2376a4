/** The amount that a person typed as a budget; `none` for an empty field. */
export function budgetOf(text: string): number | 'none' | 'invalid' {
  const typed = text.trim()
  if (typed === '') return 'none'
  const amount = Number(typed)
  return /^\d{1,7}(\.\d{1,2})?$/.test(typed) && amount > 0 ? amount : 'invalid'
}
