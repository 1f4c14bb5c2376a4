import { isTerminal } from './state.ts'
import type { CaseState } from './state.ts'

export type LoanOutcome = 'loan_accepted' | 'no_loan'

/** Says whether a case came to a loan, once the customer accepted one or the case ended. Pure. */
export function loanOutcome({
  status,
  caseOutcome,
}: Pick<CaseState, 'status' | 'caseOutcome'>): LoanOutcome | undefined {
  if (caseOutcome?.kind === 'selected') return 'loan_accepted'
  return isTerminal(status) ? 'no_loan' : undefined
}
