import type { SummaryRow } from '../../../kit/index.ts'
import { SummaryList, money } from '../../../kit/index.ts'
import { isEligible } from '../../case/gates.ts'
import type { ChangeAnswer } from '../answers.ts'
import type { CaseView } from '../case-view.ts'
import { draftOf } from '../details/draft.ts'
import type { DetailsDraft } from '../details/draft.ts'
import { givenAnswer } from '../details/shown-answers.ts'
import styles from './cards.module.css'
import { projectRows } from './project-rows.ts'
import { QUOTE_WORDS } from './quote-words.ts'
import { SUMMARY_WORDS } from './summary-words.ts'
import { termText } from './term.ts'

export interface SentAnswersProps {
  readonly view: CaseView
  readonly onChange: ChangeAnswer | undefined
}

/** All that a lender is sent of this customer, with the way to change each part of it. */
export function SentAnswers({ view, onChange }: SentAnswersProps) {
  return (
    <section className={styles.stack} aria-label={SUMMARY_WORDS.answers}>
      <h2>{SUMMARY_WORDS.answers}</h2>
      <div className={`${styles.panel} ${styles.list}`}>
        <SummaryList
          rows={[
            ...loanRows(view, onChange),
            ...projectRows(view.project),
            ...eligibilityRows(view),
            ...detailRows(view, onChange),
            ...supportRows(view, onChange),
          ]}
        />
      </div>
    </section>
  )
}

function loanRows({ provisionalQuote }: CaseView, onChange?: ChangeAnswer): readonly SummaryRow[] {
  if (!provisionalQuote) return []
  const { term } = QUOTE_WORDS
  const value = termText(provisionalQuote.termMonths)
  return [{ name: term, value, onChange: onChange && (() => onChange('quote')) }]
}

function eligibilityRows(view: CaseView): readonly SummaryRow[] {
  const { eligibility, allYes } = SUMMARY_WORDS
  return isEligible(view) ? [{ name: eligibility, value: allYes }] : []
}

/** The mobile number is for us; no lender gets it. */
function detailRows(view: CaseView, onChange?: ChangeAnswer): readonly SummaryRow[] {
  const { you, home, money: work, tenure } = SUMMARY_WORDS
  const draft = draftOf(view)
  const said = (field: keyof DetailsDraft) => givenAnswer(draft, field)
  const how = said('residentialStatus')
  const parts = [
    { name: you, at: 'fullName', lines: [said('fullName'), said('birthDay')] },
    {
      name: home,
      at: 'postcode',
      lines: [said('postcode'), said('propertyType'), how && tenure(how)],
    },
    { name: work, at: 'employmentStatus', lines: moneyLines(view, said('employmentStatus')) },
  ] as const
  return parts.map(({ name, at, lines }) => ({
    name,
    value: <Lines lines={lines.filter((line) => line !== undefined)} />,
    onChange: onChange && (() => onChange('details', at)),
  }))
}

function moneyLines({ financial }: CaseView, work?: string): readonly (string | undefined)[] {
  const { aYear, spends, otherLoans } = SUMMARY_WORDS
  const { annualIncome, monthlyOutgoings, existingCommitments } = financial
  return [
    work,
    annualIncome === undefined ? undefined : aYear(money(annualIncome)),
    monthlyOutgoings === undefined ? undefined : spends(money(monthlyOutgoings)),
    existingCommitments === undefined ? undefined : otherLoans(existingCommitments),
  ]
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line) => (
    <bdi key={line} className={styles.line}>
      {line}
    </bdi>
  ))
}

function supportRows({ financial }: CaseView, onChange?: ChangeAnswer): readonly SummaryRow[] {
  const { vulnerabilityIndicators = [], vulnerabilityCapturedAt } = financial
  // The support card is optional; without an answer it has no row.
  if (vulnerabilityCapturedAt === undefined) return []
  const { support, supportCount } = SUMMARY_WORDS
  return [
    {
      name: support,
      value: supportCount(vulnerabilityIndicators.length),
      onChange: onChange && (() => onChange('vulnerability')),
    },
  ]
}
