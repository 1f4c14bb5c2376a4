import type { Offer, WaterfallResult, WaterfallStep } from '../broker/case/state.ts'
import { SummaryList, money, percent } from '../kit/index.ts'
import { FileSection } from './file-section.tsx'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

const WORDED = WORDS.lenders

/** What was asked of the lenders, and what each answered, in the order in which they were asked. */
export function LendersSection({ waterfall }: { readonly waterfall: WaterfallResult | undefined }) {
  const steps = waterfall?.steps ?? []
  return (
    <FileSection title={WORDED.title(steps.length)} wanted="closed">
      {() =>
        waterfall === undefined ? (
          <p>{WORDS.file.none}</p>
        ) : (
          <>
            <SummaryList rows={[{ name: WORDED.requested, value: askedOf(waterfall) }]} />
            <ol className={styles.items}>
              {steps.map((step) => (
                <li key={step.lender} className={styles.item}>
                  <h3>
                    {step.lender} ({step.position})
                  </h3>
                  <SummaryList rows={rowsOf(step)} />
                </li>
              ))}
            </ol>
          </>
        )
      }
    </FileSection>
  )
}

function rowsOf({ outcome }: WaterfallStep) {
  return [
    { name: WORDED.outcome, value: WORDED.outcomes[outcome.kind] },
    ...('reason' in outcome ? [{ name: WORDED.reason, value: outcome.reason }] : []),
    ...('offer' in outcome ? [{ name: WORDED.offer, value: termsOf(outcome.offer) }] : []),
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
