import type { Json } from 'throughline/client'
import type { CustomerCase } from '../case/case-view.ts'
import type { CaseState, Offer } from '../case/state.ts'

/** The case as its customer may see it: the lenders' reasons are absent, how far they are is not. */
export type CaseView = CaseState & Pick<CustomerCase, 'submittedAt' | 'lenders' | 'demonstration'>

export function readCaseView(state: Json): CaseView {
  // Our own server folds and shapes it; nothing else can stand at this address.
  return state as CaseView
}

/** The lender's own terms that wait for the customer's decision. */
export function counterOffer({ waterfall }: CaseView): Offer | undefined {
  const outcome = waterfall?.steps.at(-1)?.outcome
  return outcome?.kind === 'approved_with_counter' ? outcome.offer : undefined
}

/** Whether no lender has been told of the case, nor is about to be. */
export function isNothingSubmitted({ status, waterfall }: CaseView): boolean {
  return waterfall === undefined && status !== 'submitting'
}

/** Once lenders are being asked, what they were asked with stays as it is. */
export function mayChangeAnswers({ status, waterfall, caseOutcome }: CaseView): boolean {
  const open = status === 'customer_active' || status === 'quote_ready'
  return open && waterfall === undefined && caseOutcome === undefined
}
