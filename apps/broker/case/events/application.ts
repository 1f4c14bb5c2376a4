import { z } from 'zod'
import { acceptCounter, refuseCounter } from '../../lenders/index.ts'
import { CUSTOMER_MODEL, CUSTOMER_PAGE, RULE, SYSTEM } from '../authority.ts'
import { broker, changeCase, isoTime } from '../case-domain.ts'
import { missingForSubmission } from '../gates.ts'
import { REFERENCE_LENGTH_MAX } from '../limits.ts'
import { line } from '../payload-fields.ts'
import { refuse, refuseLocked } from '../refusals.ts'
import type { CaseOutcomeRecord, CaseState } from '../state.ts'

/** The record names the lenders of the panel, in their order. */
export function submitApplication(lenders: readonly string[] | undefined) {
  return broker.event({
    // A proposal names no lenders. The gate adds the panel's.
    schema: z.object({}),
    by: [CUSTOMER_MODEL, RULE, SYSTEM],
    guard: ({ case: state }) => {
      const locked = refuseLocked(state)
      const missing = missingForSubmission(state)
      if (locked || missing.length === 0) return locked
      return refuse('precondition', `Not ready for submission: ${missing.join('; ')}`)
    },
    complete: (): { readonly lenders?: readonly string[] } => (lenders ? { lenders } : {}),
    reduce: (state, { lenders: named }, fact) => {
      const sent = changeCase(state, { status: 'submitting' }, fact)
      return named ? { ...sent, submission: { submittedAt: isoTime(fact), lenders: named } } : sent
    },
  })
}

export const applicationEvents = {
  accept_counter_offer: broker.event({
    schema: z.object({}),
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) =>
      counterAnswer(state) === 'accepted' ? undefined : refuseWithoutCounter(state),
    reduce: (state, _, fact) => {
      const waiting = state.case.waterfall
      if (!waiting?.awaitingCounterDecision) return state
      const waterfall = acceptCounter(waiting, isoTime(fact))
      return changeCase(
        state,
        { waterfall, ...selected(state.case, waterfall.acceptedOffer?.id, fact) },
        fact,
      )
    },
  }),
  refuse_counter_offer: broker.event({
    schema: z.object({}),
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) =>
      counterAnswer(state) === 'refused' ? refuseLocked(state) : refuseWithoutCounter(state),
    reduce: (state, _, fact) => {
      const waiting = state.case.waterfall
      if (!waiting?.awaitingCounterDecision) return state
      const waterfall = refuseCounter(waiting, isoTime(fact))
      return changeCase(state, { waterfall, status: 'waterfall_running' }, fact)
    },
  }),
  select_offer: broker.event({
    schema: z.object({ offerId: line(REFERENCE_LENGTH_MAX) }),
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }, { offerId }) => {
      if (state.selectedOfferId === offerId) return undefined
      const locked = refuseLocked(state)
      const approved = state.status === 'selected' && state.waterfall?.acceptedOffer?.id === offerId
      if (locked || approved) return locked
      return refuse('precondition', 'There is no approved offer with this id')
    },
    reduce: (state, { offerId }, fact) =>
      state.case.selectedOfferId === offerId
        ? state
        : changeCase(state, selected(state.case, offerId, fact), fact),
  }),
}

/** Returns the customer's answer to the last lender's counter-offer. */
function counterAnswer({ waterfall }: CaseState): 'open' | 'accepted' | 'refused' | undefined {
  if (waterfall?.steps.at(-1)?.outcome.kind !== 'approved_with_counter') return undefined
  if (waterfall.awaitingCounterDecision) return 'open'
  return waterfall.acceptedOffer ? 'accepted' : 'refused'
}

function refuseWithoutCounter(state: CaseState) {
  const locked = refuseLocked(state)
  if (locked || counterAnswer(state) === 'open') return locked
  return refuse('precondition', 'No counter-offer waits for an answer')
}

function selected(
  { caseOutcome }: CaseState,
  offerId: string | undefined,
  fact: { readonly ts: number },
): Partial<CaseState> {
  const outcome: CaseOutcomeRecord = { kind: 'selected', recordedAt: isoTime(fact) }
  return {
    status: 'selected',
    ...(offerId !== undefined && { selectedOfferId: offerId }),
    caseOutcome: caseOutcome ?? outcome,
  }
}
