import { z } from 'zod'
import { parseStrictJson } from 'throughline'
import { EMPLOYMENT_STATUSES } from '../case/state.ts'
import type { Means } from './affordability.ts'
import type { ApplicationPayload } from './application.ts'
import { builtInPanel } from './built-in-panel.ts'
import { isAsRequested } from './outcome.ts'
import type { LenderDecision, LenderVerdict } from './panel.ts'

/** The body of `POST /decisions`: the lender, and the facts that it may know. */
export type DecisionRequest = {
  readonly lender: string
  readonly application: ApplicationPayload
}

// Far above any loan of the panel: a larger sum is a slip of the lender's, not an offer.
const AMOUNT_POUNDS_MAX = 10_000_000
const APR_PCT_MAX = 1_000
const TERM_MONTHS_MAX = 1_200
const REASON_CODE = /^[A-Z][A-Z0-9_]{0,63}$/

const pounds = z.number().positive().max(AMOUNT_POUNDS_MAX)

const terms = z.strictObject({
  netLoanAmount: pounds,
  aprPct: z.number().min(0).max(APR_PCT_MAX),
  termMonths: z.int().min(1).max(TERM_MONTHS_MAX),
  monthlyPayment: pounds,
  totalPayable: pounds,
})

const amount = z.number().min(0)

/** A {@link DecisionRequest} as the invented lenders read it. The rest is there for real ones. */
export const decisionRequest = z.strictObject({
  lender: z.enum(builtInPanel.lenders.map(({ lender }) => lender)),
  application: z.looseObject({
    brokerCaseId: z.string().min(1),
    submittedAt: z.iso.datetime(),
    requested: z.looseObject({
      amount: pounds,
      termMonths: z.int().min(1),
      indicativeAprPct: amount,
    }),
    personal: z.looseObject({ dateOfBirth: z.iso.date().exactOptional() }),
    financial: z.looseObject({
      employmentStatus: z.enum(EMPLOYMENT_STATUSES).exactOptional(),
      annualIncome: amount.exactOptional(),
      monthlyOutgoings: amount.exactOptional(),
    }),
  }) satisfies z.ZodType<Means>,
})

const decisionAnswer = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('approved'), terms }),
  z.strictObject({ decision: z.literal('counter_offer'), terms }),
  z.strictObject({ decision: z.literal('declined'), reason: z.string().regex(REASON_CODE) }),
])

/** A lender's answer to `POST /decisions`. */
export type DecisionAnswer = z.infer<typeof decisionAnswer>

/**
 * Parses a lender's answer. An invalid answer counts as none; the error lists the wrong members,
 * never the lender's text.
 *
 * An approval and a counter-offer read alike: the waterfall compares the terms itself.
 */
export function readAnswer(text: string): LenderDecision {
  const json = parsed(text)
  if (json === undefined) return malformed('it is not JSON that means one thing only')
  const { data, error } = decisionAnswer.safeParse(json.value)
  if (error) {
    return malformed(error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join('; '))
  }
  return data.decision === 'declined'
    ? { kind: 'declined', reason: data.reason }
    : { kind: 'approved', terms: data.terms }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseStrictJson(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function malformed(why: string): LenderDecision {
  return { kind: 'unavailable', reason: `MALFORMED_ANSWER: ${why.trim()}` }
}

/** Writes what a lender that decided so answers. */
export function answerOf(
  decision: LenderVerdict,
  requested: Parameters<typeof isAsRequested>[1],
): DecisionAnswer {
  if (decision.kind === 'declined') return { decision: 'declined', reason: decision.reason }
  const asked = isAsRequested(decision.terms, requested)
  return { decision: asked ? 'approved' : 'counter_offer', terms: decision.terms }
}
