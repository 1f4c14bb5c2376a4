import { Note } from '../../../kit/index.ts'
import { DraftChoice, DraftText, withOptionalLabel } from './draft-field.tsx'
import type { PartProps } from './form-parts.ts'
import { spendsAboveIncome } from './spending.ts'
import { WORDS } from './words.ts'

export function MoneyPart(props: PartProps) {
  const { fields } = WORDS
  return (
    <>
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
      {spendsAboveIncome(props.draft) && (
        <div role="status">
          <Note>{fields.monthlyOutgoings.aboveIncome}</Note>
        </div>
      )}
      <DraftText
        {...props}
        field="existingCommitments"
        kind="lines"
        maxLength={1_000}
        words={withOptionalLabel(fields.existingCommitments)}
      />
    </>
  )
}
