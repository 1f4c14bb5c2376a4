import { moneyWithPence, poundsAndPence } from './format.ts'
import styles from './key-figures.module.css'

export interface KeyFigure {
  readonly name: string
  readonly pounds: number
}

export interface KeyFiguresProps {
  /** The figure that matters most, such as the monthly payment. */
  readonly payment: number
  /** The period of the payment: `a month for 10 years`. */
  readonly per: string
  /** Beside the payment: `9.15% APR` over `representative`. */
  readonly rate: string
  readonly rateNote?: string
  /** These two add up to the total. */
  readonly borrowed: KeyFigure
  readonly interest: KeyFigure
  readonly total: KeyFigure
}

/** Shows a loan's payment, its rate beside it, then the sum that leads to the total. */
export function KeyFigures(props: KeyFiguresProps) {
  const { payment, per, rate, rateNote, borrowed, interest, total } = props
  const [pounds, pence] = poundsAndPence(payment)
  return (
    <div className={styles.figures}>
      <div className={styles.top}>
        <p className={styles.payment}>
          <span className={styles.big}>
            {pounds}
            <small className={styles.pence}>{pence}</small>
          </span>{' '}
          <span className={styles.per}>{per}</span>
        </p>
        <p className={styles.rate}>
          <b className={styles.rateFigure}>{rate}</b>{' '}
          {rateNote !== undefined && <span className={styles.rateNote}>{rateNote}</span>}
        </p>
      </div>
      <div className={styles.split} aria-hidden="true">
        <span className={styles.solid} style={{ flexGrow: borrowed.pounds }} />
        <span className={styles.hatched} style={{ flexGrow: interest.pounds }} />
      </div>
      <dl className={styles.sums}>
        {[borrowed, interest, total].map(({ name, pounds: sum }) => (
          <div key={name} className={styles.sum}>
            <dt>{name}</dt>
            <dd className={styles.amount}>{moneyWithPence(sum)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
