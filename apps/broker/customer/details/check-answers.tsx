import type { Readiness } from '../../../kit/index.ts'
import { Button, SummaryList, date, money } from '../../../kit/index.ts'
import { birthDate, pounds } from './check-draft.ts'
import type { DetailsDraft } from './draft.ts'
import { WORDS } from './words.ts'

export interface CheckAnswersProps {
  readonly draft: DetailsDraft
  readonly readiness: Readiness
  /** Goes back to the form, to this field of it. */
  readonly onChange: (field: keyof DetailsDraft) => void
  readonly onRecord: () => void
}

export function CheckAnswers({ draft, readiness, onChange, onRecord }: CheckAnswersProps) {
  const rows = shownAnswers(draft).map(([field, name, value]) => ({
    name,
    value: value || WORDS.check.notGiven,
    onChange: () => onChange(field),
  }))
  return (
    <>
      <SummaryList rows={rows} />
      <p>{WORDS.check.text}</p>
      <Button readiness={readiness} onClick={onRecord}>
        {WORDS.check.record}
      </Button>
    </>
  )
}

type ShownAnswer = readonly [field: keyof DetailsDraft, name: string, value: string]

function shownAnswers(draft: DetailsDraft): readonly ShownAnswer[] {
  const { fields, propertyTypes, residentialStatuses, employmentStatuses } = WORDS
  const { addressLine1, addressLine2, town, county, postcode } = draft
  const address = [addressLine1, addressLine2, town, county, postcode].filter(Boolean).join(', ')
  return [
    ['fullName', fields.fullName.label, draft.fullName],
    ['birthDay', fields.dateOfBirth.label, date(birthDate(draft) ?? '')],
    ['mobile', fields.mobile.label, draft.mobile],
    ['postcode', WORDS.home, address],
    ['propertyType', fields.propertyType.label, said(propertyTypes, draft.propertyType)],
    [
      'residentialStatus',
      fields.residentialStatus.label,
      said(residentialStatuses, draft.residentialStatus),
    ],
    [
      'employmentStatus',
      fields.employmentStatus.label,
      said(employmentStatuses, draft.employmentStatus),
    ],
    ['annualIncome', fields.annualIncome.label, money(pounds(draft.annualIncome) ?? 0)],
    ['monthlyOutgoings', fields.monthlyOutgoings.label, money(pounds(draft.monthlyOutgoings) ?? 0)],
    ['existingCommitments', fields.existingCommitments.label, draft.existingCommitments],
  ]
}

/** A value of the case in words; nothing where nothing was chosen. */
function said(words: Readonly<Record<string, string>>, value: string): string {
  return words[value] ?? ''
}
