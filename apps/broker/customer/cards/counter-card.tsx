import { Button, ButtonRow, Card, money, percent } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { counterOffer } from '../case-view.ts'
import styles from '../customer.module.css'
import { WORDS } from '../words.ts'
import { BeforeAccepting } from './before-accepting.tsx'
import { ProgressCard } from './lender-cards.tsx'

/**
 * What was asked for beside what is offered; the customer decides, nobody recommends. Each figure has its
 * name above it: beside it, the offer would be out of sight on a small phone.
 */
export function CounterCard({ view, readiness, record }: CardProps) {
  const offer = counterOffer(view)
  const asked = view.waterfall?.requestedQuote
  if (!offer || !asked) return <ProgressCard />
  const rows = [
    [WORDS.offer.apr, percent(asked.indicativeAprPct), percent(offer.aprPct)],
    [
      WORDS.counter.term,
      WORDS.quote.months(asked.termMonths),
      WORDS.quote.months(offer.termMonths),
    ],
    [WORDS.quote.monthly, money(asked.monthlyPayment), money(offer.monthlyPayment)],
    [WORDS.quote.total, money(asked.totalPayable), money(offer.totalPayable)],
  ] as const
  return (
    <Card title={WORDS.counter.title}>
      <p>{WORDS.counter.text(offer.lender)}</p>
      <div className={styles.wide} role="region" aria-label={WORDS.counter.compared} tabIndex={0}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{WORDS.counter.asked}</th>
              <th scope="col">{WORDS.counter.offered}</th>
            </tr>
          </thead>
          {rows.map(([name, before, now]) => (
            <tbody key={name}>
              <tr>
                <th scope="rowgroup" colSpan={2}>
                  {name}
                </th>
              </tr>
              <tr>
                <td>{before}</td>
                <td>{now}</td>
              </tr>
            </tbody>
          ))}
        </table>
      </div>
      <BeforeAccepting lender={offer.lender} />
      <ButtonRow>
        <Button
          look="secondary"
          readiness={readiness}
          onClick={() => record([{ type: 'accept_counter_offer', data: {} }])}
        >
          {WORDS.counter.accept}
        </Button>
        <Button
          look="secondary"
          readiness={readiness}
          onClick={() => record([{ type: 'refuse_counter_offer', data: {} }])}
        >
          {WORDS.counter.refuse}
        </Button>
      </ButtonRow>
    </Card>
  )
}
