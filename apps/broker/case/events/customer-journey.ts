import { z } from 'zod'
import { TERM_MONTHS_MAX, TERM_MONTHS_MIN, quote } from '../../lenders/index.ts'
import { CUSTOMER_PAGE } from '../authority.ts'
import { broker, changeCase, isoTime } from '../case-domain.ts'
import { isAcknowledged, isEligible } from '../gates.ts'
import { emailAddress } from '../payload-fields.ts'
import { PERSONAL_MEMBERS } from '../personal-data.ts'
import { refuse, refuseLocked, refuseOnceSubmitted } from '../refusals.ts'
import type { CaseState, CaseStatus } from '../state.ts'

const CRITERIA = ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'] as const

const eligibilityAnswers = z.object({
  isOver18: z.boolean(),
  isUkResident: z.boolean(),
  isHomeowner: z.boolean(),
  isEmployed: z.boolean(),
})

const BEFORE_QUOTE_READY: readonly CaseStatus[] = ['intake', 'awaiting_customer', 'customer_active']

export const customerJourneyEvents = {
  record_eligibility: broker.event({
    schema: eligibilityAnswers,
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) => refuseLocked(state) ?? refuseEligibility(state),
    reduce: (state, answers, fact) => {
      const capturedAt = isoTime(fact)
      const eligibility = { ...answers, capturedAt }
      const failed = CRITERIA.find((criterion) => !answers[criterion])
      if (failed === undefined)
        return changeCase(state, { eligibility, status: 'quote_ready' }, fact)
      const caseOutcome = { kind: 'ineligible', reason: failed, recordedAt: capturedAt } as const
      return changeCase(state, { eligibility, status: 'ineligible', caseOutcome }, fact)
    },
    personal: PERSONAL_MEMBERS.record_eligibility,
  }),
  record_provisional_quote: broker.event({
    // The schema drops amounts that a page sends with the term: the server computes the price.
    schema: z.object({ termMonths: z.int().min(TERM_MONTHS_MIN).max(TERM_MONTHS_MAX) }),
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) => refuseLocked(state) ?? refuseQuote(state),
    complete: ({ termMonths }, { case: state }, at) =>
      quote(state.project.netLoanAmount ?? 0, termMonths, isoTime(at)),
    reduce: (state, provisionalQuote, fact) => changeCase(state, { provisionalQuote }, fact),
  }),
  record_email_preference: broker.event({
    schema: z.object({ wantsEmailCopy: z.boolean(), email: emailAddress().exactOptional() }),
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }) => {
      const locked = refuseLocked(state)
      if (locked || !BEFORE_QUOTE_READY.includes(state.status)) return locked
      return refuse('precondition', 'The customer has not passed the eligibility questions')
    },
    reduce: (state, preference, fact) =>
      changeCase(state, { emailPreference: { ...preference, capturedAt: isoTime(fact) } }, fact),
    personal: PERSONAL_MEMBERS.record_email_preference,
  }),
}

function refuseEligibility(state: CaseState) {
  const { status, provisionalQuote } = state
  if (status === 'intake') return refuse('precondition', 'The installer has not handed over yet')
  if (provisionalQuote) {
    return refuse('precondition', 'The quote rests on the answers given: they no longer change')
  }
  if (!isAcknowledged(state, 'service_status')) {
    return refuse('precondition', 'The customer has not acknowledged service_status')
  }
  return refuseOnceSubmitted(state)
}

function refuseQuote(state: CaseState) {
  if (!isEligible(state) || BEFORE_QUOTE_READY.includes(state.status)) {
    return refuse('precondition', 'The customer has not passed the eligibility questions')
  }
  if (!state.project.netLoanAmount) {
    return refuse(
      'precondition',
      'There is nothing to borrow: the project needs a value and deposit',
    )
  }
  return refuseOnceSubmitted(state)
}
