import { date, money } from '../../../kit/index.ts'
import { birthDate, pounds } from './check-draft.ts'
import type { DetailsDraft } from './draft.ts'
import { WORDS } from './words.ts'

/** An answer of the form in words, and the field that it is given in. */
export interface ShownAnswer {
  readonly field: keyof DetailsDraft
  readonly name: string
  readonly value: string
}

/** All that the form asks for, in its order. */
export function shownAnswers(draft: DetailsDraft): readonly ShownAnswer[] {
  return valuesOf(draft).map(([field, name, value]) => {
    return { field, name, value: value || WORDS.check.notGiven }
  })
}

/** Returns one answer in words; undefined without an answer. */
export function givenAnswer(draft: DetailsDraft, field: keyof DetailsDraft): string | undefined {
  return valuesOf(draft).find(([name]) => name === field)?.[2] || undefined
}

type Value = readonly [field: keyof DetailsDraft, name: string, value: string]

function valuesOf(draft: DetailsDraft): readonly Value[] {
  const { fields, propertyTypes, residentialStatuses, employmentStatuses, check } = WORDS
  const { addressLine1, addressLine2, town, county, postcode } = draft
  const address = [addressLine1, addressLine2, town, county, postcode].filter(Boolean).join(', ')
  const income = money(pounds(draft.annualIncome) ?? 0)
  return [
    ['fullName', fields.fullName.label, draft.fullName],
    ['birthDay', fields.dateOfBirth.label, date(birthDate(draft) ?? '')],
    ['mobile', fields.mobile.label, draft.mobile],
    ['postcode', fields.address.label, address],
    ['propertyType', fields.propertyType.label, said(propertyTypes, draft.propertyType)],
    [
      'residentialStatus',
      fields.residentialStatus.label,
      said(residentialStatuses, draft.residentialStatus),
    ],
    ['employmentStatus', check.rows.work, said(employmentStatuses, draft.employmentStatus)],
    ['annualIncome', check.rows.income, check.rows.beforeTax(income)],
    ['monthlyOutgoings', check.rows.spending, money(pounds(draft.monthlyOutgoings) ?? 0)],
    ['existingCommitments', check.rows.otherLoans, draft.existingCommitments],
  ]
}

/** A value of the case in words; nothing where nothing was chosen. */
function said(words: Readonly<Record<string, string>>, value: string): string {
  return words[value] ?? ''
}
