import styles from '../customer.module.css'
import { DraftChoice, DraftText } from './draft-field.tsx'
import type { PartProps } from './form-parts.ts'
import { WORDS } from './words.ts'

export function MoneyPart(props: PartProps) {
  const { fields } = WORDS
  return (
    <fieldset className={styles.group}>
      <legend>{WORDS.money}</legend>
      <DraftChoice
        {...props}
        field="employmentStatus"
        words={fields.employmentStatus}
        options={WORDS.employmentStatuses}
      />
      <DraftText {...props} field="annualIncome" kind="decimal" words={fields.annualIncome} />
      <DraftText
        {...props}
        field="monthlyOutgoings"
        kind="decimal"
        words={fields.monthlyOutgoings}
      />
      <DraftText
        {...props}
        field="existingCommitments"
        kind="lines"
        maxLength={1_000}
        words={fields.existingCommitments}
      />
    </fieldset>
  )
}
