import { isTerminal } from './state.ts'
import type { CaseState } from './state.ts'

export type LoanOutcome = 'loan_accepted' | 'no_loan'

/** Returns whether the customer accepted a loan; `undefined` while the case is open. Pure. */
export function loanOutcome({
  status,
  caseOutcome,
}: Pick<CaseState, 'status' | 'caseOutcome'>): LoanOutcome | undefined {
  if (caseOutcome?.kind === 'selected') return 'loan_accepted'
  return isTerminal(status) ? 'no_loan' : undefined
}
