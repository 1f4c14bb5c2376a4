import { z } from 'zod'
import { CUSTOMER_MODEL, CUSTOMER_PAGE, SYSTEM } from '../authority.ts'
import { broker, changeCase, isoTime } from '../case-domain.ts'
import { creditSearchConsent } from '../gates.ts'
import { REASON_LENGTH_MAX } from '../limits.ts'
import { prose } from '../payload-fields.ts'
import { PERSONAL_MEMBERS } from '../personal-data.ts'
import { refuse, refuseLocked } from '../refusals.ts'
import { CASE_OUTCOME_KINDS, isTerminal } from '../state.ts'
import type { CaseOutcomeKind, CaseOutcomeRecord, CaseState, CaseStatus } from '../state.ts'

const reason = prose(REASON_LENGTH_MAX).exactOptional()

export const lifecycleEvents = {
  withdraw: broker.event({
    schema: z.object({ reason }),
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) => refuseLocked(state),
    reduce: (state, data, fact) => {
      const caseOutcome = { kind: 'withdrawn', ...data, recordedAt: isoTime(fact) } as const
      return changeCase(state, { status: 'withdrawn', caseOutcome }, fact)
    },
    personal: PERSONAL_MEMBERS.withdraw,
  }),
  case_outcome: broker.event({
    schema: z.object({ kind: z.enum(CASE_OUTCOME_KINDS), reason }),
    by: [
      SYSTEM,
      { ...CUSTOMER_MODEL, when: ({ case: state }, { kind }) => kind === impliedOutcome(state) },
    ],
    reduce: (state, data, fact) => {
      const caseOutcome = state.case.caseOutcome ?? { ...data, recordedAt: isoTime(fact) }
      return changeCase(state, { caseOutcome }, fact)
    },
    personal: PERSONAL_MEMBERS.case_outcome,
  }),
  case_complete: broker.event({
    schema: z.object({}),
    by: [
      CUSTOMER_PAGE,
      SYSTEM,
      { ...CUSTOMER_MODEL, when: ({ case: state }) => state.caseOutcome !== undefined },
    ],
    guard: ({ case: state }, _, at) => {
      if (state.caseOutcome || state.status === 'selected' || isTerminal(state.status)) {
        return undefined
      }
      const stopped = creditSearchConsent(state)?.granted === false && at.origin.source === 'ui'
      if (stopped && state.status === 'quote_ready') return undefined
      return refuse('precondition', 'The case has no outcome yet')
    },
    reduce: (state, _, fact) => {
      if (isTerminal(state.case.status)) return state
      const outcome: CaseOutcomeRecord = { kind: 'completed', recordedAt: isoTime(fact) }
      const caseOutcome = state.case.caseOutcome ?? outcome
      return changeCase(state, { status: 'complete', caseOutcome }, fact)
    },
  }),
  // An old type without emitters; cases that hold it still load.
  request_decision: broker.event({ schema: z.object({}), by: [], reduce: (state) => state }),
}

const OUTCOME_OF_STATUS: Readonly<Partial<Record<CaseStatus, CaseOutcomeKind>>> = {
  declined: 'declined',
  ineligible: 'ineligible',
  withdrawn: 'withdrawn',
  complete: 'completed',
}

/** An approved offer that the customer has not taken implies nothing. */
function impliedOutcome({ caseOutcome, status }: CaseState): CaseOutcomeKind | undefined {
  return caseOutcome?.kind ?? OUTCOME_OF_STATUS[status]
}
