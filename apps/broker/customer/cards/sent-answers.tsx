import type { SummaryRow } from '../../../kit/index.ts'
import { SummaryList, money, percent } from '../../../kit/index.ts'
import type { ChangeAnswer } from '../answers.ts'
import type { CaseView } from '../case-view.ts'
import styles from '../customer.module.css'
import { draftOf } from '../details/draft.ts'
import { shownAnswers } from '../details/shown-answers.ts'
import { WORDS } from '../words.ts'

export interface SentAnswersProps {
  readonly view: CaseView
  readonly onChange: ChangeAnswer | undefined
}

const words = WORDS.preContract

/** All that a lender is sent, beside the text that speaks of it: that is the same for everyone. */
export function SentAnswers({ view, onChange }: SentAnswersProps) {
  return (
    <>
      <section className={styles.group} aria-label={words.quote}>
        <h3>{words.quote}</h3>
        <SummaryList rows={[...projectRows(view), ...quoteRows(view, onChange)]} />
      </section>
      <section className={styles.group} aria-label={words.answers}>
        <h3>{words.answers}</h3>
        <p>{words.sent}</p>
        <SummaryList
          rows={[
            ...eligibilityRows(view),
            ...detailRows(view, onChange),
            ...supportRows(view, onChange),
          ]}
        />
      </section>
    </>
  )
}

function projectRows({ project }: CaseView): readonly SummaryRow[] {
  const { projectValue, depositAmount } = project
  return [
    ...(projectValue === undefined ? [] : [{ name: words.price, value: money(projectValue) }]),
    ...(depositAmount === undefined ? [] : [{ name: words.deposit, value: money(depositAmount) }]),
  ]
}

function quoteRows({ provisionalQuote }: CaseView, onChange?: ChangeAnswer): readonly SummaryRow[] {
  if (!provisionalQuote) return []
  const { amount, termMonths, indicativeAprPct, monthlyPayment, totalPayable } = provisionalQuote
  return [
    { name: WORDS.quote.amount, value: money(amount) },
    {
      name: WORDS.counter.term,
      value: WORDS.quote.months(termMonths),
      onChange: onChange && (() => onChange('quote')),
    },
    { name: WORDS.quote.apr, value: percent(indicativeAprPct) },
    { name: WORDS.quote.monthly, value: money(monthlyPayment) },
    { name: WORDS.quote.total, value: money(totalPayable) },
  ]
}

function eligibilityRows({ eligibility }: CaseView): readonly SummaryRow[] {
  if (!eligibility) return []
  const { isOver18, isUkResident, isHomeowner, isEmployed } = eligibility
  const { questions } = WORDS.eligibility
  return [
    { name: questions.isOver18, value: yesOrNo(isOver18) },
    { name: questions.isUkResident, value: yesOrNo(isUkResident) },
    { name: questions.isHomeowner, value: yesOrNo(isHomeowner) },
    { name: questions.isEmployed, value: yesOrNo(isEmployed) },
  ]
}

function yesOrNo(answer: boolean): string {
  return answer ? WORDS.yes : WORDS.no
}

function detailRows(view: CaseView, onChange?: ChangeAnswer): readonly SummaryRow[] {
  // By the number we reach the customer; no lender is told it.
  const sent = shownAnswers(draftOf(view)).filter(({ field }) => field !== 'mobile')
  return sent.map(({ field, name, value }) => {
    return { name, value, onChange: onChange && (() => onChange('details', field)) }
  })
}

function supportRows({ financial }: CaseView, onChange?: ChangeAnswer): readonly SummaryRow[] {
  const { vulnerabilityIndicators = [], vulnerabilityCapturedAt } = financial
  // Nobody has to answer it, and then there is nothing of it to send.
  if (vulnerabilityCapturedAt === undefined) return []
  return [
    {
      name: words.support,
      value: words.needs(vulnerabilityIndicators.length),
      onChange: onChange && (() => onChange('vulnerability')),
    },
  ]
}
