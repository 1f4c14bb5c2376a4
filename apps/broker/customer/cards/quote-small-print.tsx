import { Disclosure, SummaryList, money, moneyWithPence, percent } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import type { OfferedQuote } from '../quotes.ts'
import styles from './cards.module.css'
import { QUOTE_WORDS } from './quote-words.ts'
import { projectRows } from './project-rows.ts'
import { termText } from './term.ts'

export interface QuoteSmallPrintProps {
  readonly quotes: readonly OfferedQuote[]
  readonly shown: OfferedQuote
  readonly project: CaseView['project']
}

/** The text next to an estimate: the risk, the other terms, the price, the example. */
export function QuoteSmallPrint({ quotes, shown, project }: QuoteSmallPrintProps) {
  const words = QUOTE_WORDS
  const rows = projectRows(project)
  return (
    <>
      <p className={styles.risk}>{words.risk}</p>
      <Disclosure summary={words.compare(quotes.length)}>
        {() => <AllTerms quotes={quotes} />}
      </Disclosure>
      {rows.length > 0 && <SummaryList rows={rows} />}
      <p className={styles.fine}>
        <b>{words.example}</b>{' '}
        {words.exampleTerms(
          money(shown.amount),
          shown.termMonths,
          money(shown.monthlyPayment),
          money(shown.totalPayable),
          percent(shown.indicativeAprPct),
        )}
      </p>
    </>
  )
}

function AllTerms({ quotes }: Pick<QuoteSmallPrintProps, 'quotes'>) {
  const { caption, over, month, total } = QUOTE_WORDS.compared
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{over}</th>
          <th scope="col">{month}</th>
          <th scope="col">{total}</th>
        </tr>
      </thead>
      <tbody>
        {quotes.map(({ termMonths, monthlyPayment, totalPayable }) => (
          <tr key={termMonths}>
            <th scope="row">{termText(termMonths)}</th>
            <td>{moneyWithPence(monthlyPayment)}</td>
            <td>{moneyWithPence(totalPayable)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
