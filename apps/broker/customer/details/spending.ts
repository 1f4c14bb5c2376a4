import type { DetailsDraft } from './draft.ts'

const MONTHS = 12

/** Whether a month's spending is above a month's income before tax, where both are numbers. Pure. */
export function spendsAboveIncome({
  annualIncome,
  monthlyOutgoings,
}: Pick<DetailsDraft, 'annualIncome' | 'monthlyOutgoings'>): boolean {
  const [income, spending] = [annualIncome, monthlyOutgoings].map(poundsOf)
  return income !== undefined && spending !== undefined && spending > income / MONTHS
}

function poundsOf(text: string): number | undefined {
  const pounds = Number(text.replaceAll(/[£,\s]/g, ''))
  return text.trim() === '' || Number.isNaN(pounds) ? undefined : pounds
}
