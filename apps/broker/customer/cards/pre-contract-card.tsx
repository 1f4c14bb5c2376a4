import { Button, ButtonRow, Card, SummaryList, money, percent } from '../../../kit/index.ts'
import type { ProvisionalQuote } from '../../case/state.ts'
import type { CardProps } from '../actions.ts'
import styles from '../customer.module.css'
import { DisclosureText, titleOf } from '../disclosure-text.tsx'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import { WORDS } from '../words.ts'

export interface PreContractCardProps extends CardProps {
  readonly onAmend: () => void
}

export function PreContractCard(props: PreContractCardProps) {
  const { view, readiness, record, onAmend } = props
  const id = 'pre_contract_summary'
  const shown = usePresentedDisclosure(props, id)
  return (
    <Card title={titleOf(shown)}>
      {view.provisionalQuote && <ChosenQuote quote={view.provisionalQuote} />}
      <DisclosureText shown={shown} />
      {shown.status === 'shown' && (
        <ButtonRow>
          <Button
            look="secondary"
            readiness={readiness}
            onClick={() => {
              const { contentHash } = shown.text
              record([{ type: 'acknowledge_disclosure', data: { id, contentHash } }])
            }}
          >
            {WORDS.preContract.confirm}
          </Button>
          <Button look="secondary" onClick={onAmend}>
            {WORDS.preContract.amend}
          </Button>
        </ButtonRow>
      )}
    </Card>
  )
}

/** The figures that the text speaks of: it is the same for everyone and names none. */
function ChosenQuote({ quote }: { readonly quote: ProvisionalQuote }) {
  return (
    <section className={styles.group} aria-label={WORDS.preContract.quote}>
      <h3>{WORDS.preContract.quote}</h3>
      <SummaryList
        rows={[
          { name: WORDS.quote.amount, value: money(quote.amount) },
          { name: WORDS.counter.term, value: WORDS.quote.months(quote.termMonths) },
          { name: WORDS.quote.apr, value: percent(quote.indicativeAprPct) },
          { name: WORDS.quote.monthly, value: money(quote.monthlyPayment) },
          { name: WORDS.quote.total, value: money(quote.totalPayable) },
        ]}
      />
    </section>
  )
}
