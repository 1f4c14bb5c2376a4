import { offerReply } from '../audit/offer-replies.ts'
import type { OfferReply } from '../audit/offer-replies.ts'
import type { CaseState, Offer, WaterfallResult, WaterfallStep } from '../case/state.ts'
import { SummaryList, money, percent } from '../../kit/index.ts'
import { FileSection, ItemList } from '../../studio/index.ts'
import { WORDS } from './words.ts'

const WORDED = WORDS.lenders

/** The request to the lenders, and the answer of each, in the order in which they were asked. */
export function LendersSection({ state }: { readonly state: CaseState }) {
  const { waterfall } = state
  const steps = waterfall?.steps ?? []
  return (
    <FileSection title={WORDED.title(steps.length)} wanted="closed">
      {() =>
        waterfall === undefined ? (
          <p>{WORDS.file.none}</p>
        ) : (
          <>
            <SummaryList rows={[{ name: WORDED.requested, value: askedOf(waterfall) }]} />
            <ItemList>
              {steps.map((step) => (
                <li key={step.lender}>
                  <h3>
                    {step.lender} ({step.position})
                  </h3>
                  <SummaryList rows={rowsOf(step, offerReply(state, step))} />
                </li>
              ))}
            </ItemList>
          </>
        )
      }
    </FileSection>
  )
}

function rowsOf({ outcome }: WaterfallStep, reply: OfferReply | undefined) {
  return [
    { name: WORDED.outcome, value: WORDED.outcomes[outcome.kind] },
    ...('reason' in outcome ? [{ name: WORDED.reason, value: outcome.reason }] : []),
    ...('offer' in outcome ? [{ name: WORDED.offer, value: termsOf(outcome.offer) }] : []),
    ...(reply ? [{ name: WORDED.reply, value: WORDED.replies[reply] }] : []),
  ]
}

function askedOf({ requestedQuote: asked }: WaterfallResult): string {
  return termsOf({ ...asked, netLoanAmount: asked.amount, aprPct: asked.indicativeAprPct })
}

type Terms = Pick<
  Offer,
  'netLoanAmount' | 'termMonths' | 'aprPct' | 'monthlyPayment' | 'totalPayable'
>

function termsOf({ netLoanAmount, termMonths, aprPct, ...payments }: Terms): string {
  return WORDED.terms({
    amount: money(netLoanAmount),
    months: termMonths,
    apr: percent(aprPct),
    monthly: money(payments.monthlyPayment),
    total: money(payments.totalPayable),
  })
}
