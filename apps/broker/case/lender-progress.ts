import type { Submission } from './case-domain.ts'
import { isLocked } from './gates.ts'
import type { CaseState, WaterfallOutcome, WaterfallStep } from './state.ts'

/** The customer's view of one lender's progress, never with the lender's reasons. */
export type LenderProgress =
  | {
      readonly lender: string
      readonly status: 'answered'
      readonly answer: WaterfallOutcome['kind']
      readonly askedAt?: string
      readonly answeredAt?: string
    }
  | { readonly lender: string; readonly status: 'asking'; readonly askedAt: string }
  /** `next`: its turn comes if those before it do not lend. `not_asked`: its turn does not come. */
  | { readonly lender: string; readonly status: 'next' | 'not_asked' }

/** Says for each lender of an application that was sent how far it is, in the panel's order. Pure. */
export function lenderProgress(
  state: CaseState,
  { lenders, submittedAt }: Submission,
): readonly LenderProgress[] {
  const { waterfall } = state
  const answered = waterfall?.steps ?? []
  const isOver = isLocked(state) || waterfall?.acceptedOffer !== undefined
  // The lender that was being asked when the last fact came; a counter-offer waits before the next.
  const isAsking = !isOver && waterfall?.awaitingCounterDecision !== true
  return lenders.map((lender, index): LenderProgress => {
    const step = answered[index]
    if (step) return answeredBy(step)
    if (isOver) return { lender, status: 'not_asked' }
    if (!isAsking || index > answered.length) return { lender, status: 'next' }
    return { lender, status: 'asking', askedAt: waterfall?.updatedAt ?? submittedAt }
  })
}

function answeredBy({ lender, outcome, askedAt, answeredAt }: WaterfallStep): LenderProgress {
  return {
    lender,
    status: 'answered',
    answer: outcome.kind,
    ...(askedAt !== undefined && { askedAt }),
    ...(answeredAt !== undefined && { answeredAt }),
  }
}
